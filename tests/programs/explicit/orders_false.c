// A chain of three inputs in a row exists.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();
    if (a < b && b < c && c < 3 && a > -2 && b != 0)
        reach_error();
    return 0;
}
