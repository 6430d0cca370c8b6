// The first function grows by less than that.
//# call reach_error: FALSE
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int grow(int k, int n) {
    if (k == 0)
        return n + 2;
    if (n == 0)
        return k;
    return grow(k - 1, grow(k, n - 1));
}
int main(void) {
    int k = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
    if (k < 0 || k > 2 || n < 0 || n > 15)
        return 0;
    if (grow(k, n) <= n + 2)
        reach_error();
    return 0;
}
