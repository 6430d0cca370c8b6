// The square root of a number in a range.
//# call reach_error: TRUE
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
double sqrt(double);

int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x >= 1 && x <= 4) {
        double r = sqrt(x);
        if (r < 1 || r > 2 || r > x)
            reach_error();
    }
    return 0;
}
