// The next power of two wraps around, so that the bound is one too great.
//# call reach_error: FALSE
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int power(int n) {
    if (n == 0)
        return 1;
    int half = power(n - 1);
    return half + half;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 31)
        return 0;
    if (power(n) <= n)
        reach_error();
    return 0;
}
