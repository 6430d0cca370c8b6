// Arithmetic that reports overflow. verdict: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static void check(int holds) { if (!holds) reach_error(); }
int main(void) {
    volatile int minus = -5, most = 2147483647;
    volatile unsigned long long huge = 0x8000000000000001ull;
    int i;
    signed char c;
    unsigned long u;
    unsigned long long z;
    struct { int five : 5; unsigned seven : 7; } f = {0, 0};
    check(!__builtin_add_overflow(minus, most, &i) && i == 2147483642);
    check(__builtin_add_overflow(most, 1, &i) && i == -2147483647 - 1);
    check(__builtin_sub_overflow(1u, 2u, &z) && z == ~0ull);
    check(!__builtin_sub_overflow(1u, 2u, &i) && i == -1);
    check(__builtin_mul_overflow(huge, 2, &z) && z == 2);
    check(!__builtin_mul_overflow(huge, 1, &z) && z == huge);
    check(__builtin_mul_overflow(16, 16, &c) && c == 0);
    check(__builtin_smul_overflow(65536, 65536, &i) && i == 0);
    check(__builtin_uaddl_overflow(-1ul, 1, &u) && u == 0);
    check(__builtin_add_overflow_p(100, 100, (signed char)0) && !__builtin_add_overflow_p(100, 100, (unsigned char)0));
    check(__builtin_add_overflow_p(15, 1, f.five) && !__builtin_add_overflow_p(15, 1, f.seven));
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), sum;
    if (!__builtin_add_overflow(a, b, &sum)) check((long long)a + b == sum);
    else check((long long)a + b != sum);
    __int128 big = (__int128)1 << 126, total;
    check(!__builtin_add_overflow(big, big - 1, &total) && __builtin_add_overflow(big, big, &total));
    check(__builtin_sub_overflow((unsigned __int128)1, (unsigned __int128)2, (unsigned __int128 *)&total));
    return 0;
}
