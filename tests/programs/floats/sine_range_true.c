// Of the sine only its range is known.
//# call reach_error: TRUE
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
double sin(double);

int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x >= -10 && x <= 10) {
        double s = sin(x);
        if (s < -1 || s > 1)
            reach_error();
    }
    return 0;
}
