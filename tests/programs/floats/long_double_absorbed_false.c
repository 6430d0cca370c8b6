// A sum absorbs what is far below its precision.
//# call reach_error: FALSE
extern void reach_error(void);
extern long double __VERIFIER_nondet_long_double(void);

int main(void) {
    long double x = __VERIFIER_nondet_long_double();
    if (x > 0 && x < 1 && x + 1 == 1)
        reach_error();
    return 0;
}
