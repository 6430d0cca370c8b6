// A filter with feedback of more than 1 grows.
//# call reach_error: FALSE
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    double y = 0;
    for (int i = 0; i < 8; i++) {
        double x = __VERIFIER_nondet_double();
        if (!(x >= 0 && x <= 1))
            return 0;
        y = 1.5 * y + x;
    }
    if (y > 40)
        reach_error();
    return 0;
}
