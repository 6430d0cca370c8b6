// Division by a small number overflows.
//# call reach_error: FALSE
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x > 0 && 1 / x > 1.7976931348623157e308)
        reach_error();
    return 0;
}
