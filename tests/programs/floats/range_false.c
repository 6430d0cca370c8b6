// The end of the range is in it.
//# call reach_error: FALSE
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x >= 0 && x <= 10) {
        double y = x * 2 + 1;
        if (y >= 21)
            reach_error();
    }
    return 0;
}
