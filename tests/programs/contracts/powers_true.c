// The greatest power of two of the type is not negative: nothing wraps around up to there.
//# call reach_error: TRUE
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
    if (n < 0 || n > 30)
        return 0;
    if (power(n) <= n)
        reach_error();
    return 0;
}
