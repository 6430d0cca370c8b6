// What follows from the order of three inputs.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();
    if (a < b && b <= c) {
        if (a >= c)
            reach_error();
        if (a == c)
            reach_error();
    }
    if (a == b && b != c && a == c)
        reach_error();
    return 0;
}
