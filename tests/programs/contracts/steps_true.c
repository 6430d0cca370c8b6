// A sum by steps from one number to the other, which wraps around as addition does.
//# call reach_error: TRUE
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int sum(int a, int b) {
    if (b == 0)
        return a;
    if (b < 0)
        return sum(a - 1, b + 1);
    return sum(a + 1, b - 1);
}
int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (sum(a, b) != a + b)
        reach_error();
    return 0;
}
