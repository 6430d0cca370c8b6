// A call whose argument is the result of another one (Hofstadter's sequence G).
//# call reach_error: TRUE
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int g(int n) {
    if (n == 0)
        return 0;
    return n - g(g(n - 1));
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 30)
        return 0;
    int r = g(n);
    if (r > n || 2 * r < n)
        reach_error();
    return 0;
}
