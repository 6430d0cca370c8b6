// The bound is not met by the sum of the first two numbers.
//# call reach_error: FALSE
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
    if (n > 1 && sum < 2 * n)
        reach_error();
    return 0;
}
