// A number that is neither below, above nor equal.
//# call reach_error: FALSE
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    double x = __VERIFIER_nondet_double();
    if (!(x < 1) && !(x > 1) && x != 1)
        reach_error();
    return 0;
}
