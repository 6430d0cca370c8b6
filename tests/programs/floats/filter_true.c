// A filter with inputs in a range stays in it, for ever.
//# call reach_error: TRUE
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    double y = 0;
    while (__VERIFIER_nondet_int()) {
        double x = __VERIFIER_nondet_double();
        if (!(x >= -1 && x <= 1))
            break;
        y = 0.5 * y + 0.5 * x;
        if (y > 2 || y < -2)
            reach_error();
    }
    return 0;
}
