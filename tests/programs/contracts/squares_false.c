// The sum of even numbers is no square.
//# call reach_error: FALSE
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int square(int n) {
    if (n == 0)
        return 0;
    return square(n - 1) + 2 * n;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 40000)
        return 0;
    if (square(n) != n * n)
        reach_error();
    return 0;
}
