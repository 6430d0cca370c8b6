// The square of a number between 1 and 2 may exceed 3.
//# call reach_error: FALSE
extern void reach_error(void);
extern long double __VERIFIER_nondet_long_double(void);

int main(void) {
    long double x = __VERIFIER_nondet_long_double();
    if (x >= 1 && x <= 2 && x * x > 3)
        reach_error();
    return 0;
}
