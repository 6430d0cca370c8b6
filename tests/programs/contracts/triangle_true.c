// The sums of the first numbers are a table, each row of which follows from the one before.
//# call reach_error: TRUE
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int triangle(int n) {
    if (n <= 0)
        return 0;
    return n + triangle(n - 1);
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 40)
        return 0;
    int sum = triangle(n);
    if (n > 2 && sum < 2 * n)
        reach_error();
    return 0;
}
