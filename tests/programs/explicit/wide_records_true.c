// Values of more than 64 bits in structures: by value, through pointers, in arrays, from functions.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct S { char c; long double d; __int128 i; short t; };
static struct S last;
static long double half(long double x) { return x / 2; }
static struct S make(long double d, __int128 i) { struct S s = { .d = d, .i = i, .t = 7 }; return s; }

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 20)
        return 0;
    long double sum = 0;
    __int128 product = 1;
    for (int i = 0; i < n; i++) {
        sum += 0.1L;
        product = product * 12345678901234567LL % 1000000000000000003LL * -3;
    }
    struct S array[3] = { { 0 } };
    array[1] = make(sum, product);
    array[2] = array[1];
    struct S *p = &array[2], copy = *p;
    p->d = half(p->d) * 2;
    last = copy;
    if (p->d != sum || p->i != product || copy.t != 7 || last.i != array[1].i)
        reach_error();
    if (array[0].d != 0 || array[0].i)
        reach_error();
    if (n == 10 && (sum == 1 || sum < 0.99999999999999999L || (double)sum != 1))
        reach_error();
    if (product > 0 && (product / 3) * 3 + product % 3 != product)
        reach_error();
    return 0;
}
