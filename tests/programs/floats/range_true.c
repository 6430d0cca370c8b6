// A product and a sum of a number in a range.
//# call reach_error: TRUE
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x >= 0 && x <= 10) {
        double y = x * 2 + 1;
        if (y < 1 || y > 21)
            reach_error();
    }
    return 0;
}
