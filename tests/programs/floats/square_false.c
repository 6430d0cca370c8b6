// A square can be smaller than its root.
//# call reach_error: FALSE
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x > 0 && x * x < x)
        reach_error();
    return 0;
}
