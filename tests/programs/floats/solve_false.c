// Exactly one number solves it.
//# call reach_error: FALSE
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x - 0.25 == 1234.5)
        reach_error();
    return 0;
}
