/* What every harness needs: the end of the run, memory at given addresses, and, where there is no C library to link, a start and the functions that gcc itself may call. */

#if defined(__x86_64__)
static long provident_system(long number, long a, long b, long c, long d, long e, long f)
{
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
    return result;
}
static void provident_write(const char *text, unsigned long length) { provident_system(1, 2, (long)text, (long)length, 0, 0, 0); }
static void provident_end(int status) { for (;;) provident_system(231, status, 0, 0, 0, 0, 0); }
static long provident_map(unsigned long address, unsigned long length) { return provident_system(9, (long)address, (long)length, 3, 0x104022, -1, 0); }
#elif defined(__i386__)
static long provident_system(long number, long a, long b, long c)
{
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory");
    return result;
}
static void provident_write(const char *text, unsigned long length) { provident_system(4, 2, (long)text, (long)length); }
static void provident_end(int status) { for (;;) provident_system(252, status, 0, 0); }
static long provident_map(unsigned long address, unsigned long length)
{
    unsigned long arguments[6] = {address, length, 3, 0x104022, -1ul, 0};
    return provident_system(90, (long)arguments, 0, 0);
}
#else
extern long write(int, const void *, unsigned long);
extern void _exit(int);
extern void *mmap(void *, unsigned long, int, int, int, long);
static void provident_write(const char *text, unsigned long length) { (void)!write(2, text, length); }
static void provident_end(int status) { for (;;) _exit(status); }
static long provident_map(unsigned long address, unsigned long length) { return (long)mmap((void *)address, length, 3, 0x104022, -1, 0); }
#endif

static unsigned long provident_length(const char *text)
{
    unsigned long length = 0;
    while (text[length])
        length++;
    return length;
}

/* The violation. */
void __provident_reached(void)
{
    static const char text[] = "provident: the violation is reached\n";
    provident_write(text, sizeof text - 1);
    provident_end(66);
}

static void provident_stop(const char *text, int status)
{
    provident_write("provident: ", 11);
    provident_write(text, provident_length(text));
    provident_write("\n", 1);
    provident_end(status);
}

static void provident_put(unsigned long address, unsigned size, unsigned long long bits)
{
    volatile unsigned char *at = (volatile unsigned char *)address;
    unsigned i;
    for (i = 0; i < size; i++)
        at[i] = i < 8 ? (unsigned char)(bits >> 8 * i) : 0;
}

/* A scalar that is stored: which call stores it, where, how many bytes, what. */
struct provident_store {
    unsigned call;
    unsigned argument;
    unsigned long offset;
    unsigned size;
    unsigned long long bits;
};

__attribute__((weak)) void __VERIFIER_assume(int condition)
{
    if (!condition)
        provident_stop("an assumption does not hold", 67);
}
__attribute__((weak)) void __VERIFIER_atomic_begin(void) {}
__attribute__((weak)) void __VERIFIER_atomic_end(void) {}

/* For programs that do not include the header. */
extern void __assert_fail();
#ifndef PROVIDENT_FORBIDS_assert
__attribute__((weak)) void assert(int condition)
{
    if (!condition)
        __assert_fail("", "", 0u, "");
}
#endif

#ifdef PROVIDENT_FREESTANDING
static void provident_setup(void);
extern int main();

__attribute__((used)) static void provident_start(void)
{
    static char *nothing[1];
    provident_setup();
    provident_end(main(0, nothing, nothing));
}
#if defined(__x86_64__)
__asm__(".globl _start\n_start: xor %ebp, %ebp\n and $-16, %rsp\n call provident_start\n");
#else
__asm__(".globl _start\n_start: xor %ebp, %ebp\n and $-16, %esp\n call provident_start\n");
#endif

__attribute__((weak)) void *memset(void *to, int byte, unsigned long count)
{
    unsigned char *at = to;
    while (count--)
        *at++ = (unsigned char)byte;
    return to;
}
__attribute__((weak)) void *memmove(void *to, const void *from, unsigned long count)
{
    unsigned char *target = to;
    const unsigned char *source = from;
    if (target < source)
        while (count--)
            *target++ = *source++;
    else
        while (count--)
            target[count] = source[count];
    return to;
}
__attribute__((weak)) void *memcpy(void *to, const void *from, unsigned long count) { return memmove(to, from, count); }
__attribute__((weak)) void *__memcpy(void *to, const void *from, unsigned long count) { return memmove(to, from, count); }
__attribute__((weak)) void *__memset(void *to, int byte, unsigned long count) { return memset(to, byte, count); }
#ifndef PROVIDENT_FORBIDS_abort
__attribute__((weak)) void abort(void) { provident_stop("the program calls abort", 68); }
#endif
#ifndef PROVIDENT_FORBIDS_exit
__attribute__((weak)) void exit(int status) { (void)status; provident_stop("the program calls exit", 68); }
#endif
#ifndef PROVIDENT_FORBIDS___assert_fail
__attribute__((weak)) void __assert_fail(void) { provident_stop("an assertion of the program fails", 68); }
#endif

#if defined(__i386__)
unsigned long long __udivmoddi4(unsigned long long a, unsigned long long b, unsigned long long *rest)
{
    unsigned long long quotient = 0, r = 0;
    int i;
    for (i = 63; i >= 0; i--) {
        r = r << 1 | (a >> i & 1);
        if (r >= b) {
            r -= b;
            quotient |= 1ull << i;
        }
    }
    if (rest)
        *rest = r;
    return quotient;
}
unsigned long long __udivdi3(unsigned long long a, unsigned long long b) { return __udivmoddi4(a, b, 0); }
unsigned long long __umoddi3(unsigned long long a, unsigned long long b)
{
    unsigned long long rest;
    __udivmoddi4(a, b, &rest);
    return rest;
}
long long __divdi3(long long a, long long b)
{
    unsigned long long q = __udivmoddi4(a < 0 ? -(unsigned long long)a : a, b < 0 ? -(unsigned long long)b : b, 0);
    return (long long)((a < 0) != (b < 0) ? -q : q);
}
long long __moddi3(long long a, long long b)
{
    unsigned long long rest;
    __udivmoddi4(a < 0 ? -(unsigned long long)a : a, b < 0 ? -(unsigned long long)b : b, &rest);
    return (long long)(a < 0 ? -rest : rest);
}
long long __divmoddi4(long long a, long long b, long long *rest)
{
    *rest = __moddi3(a, b);
    return __divdi3(a, b);
}
#endif
#else
static void provident_setup(void);
__attribute__((constructor)) static void provident_constructor(void) { provident_setup(); }
#endif
