// An input of x87's format stays in its bounds.
//# call reach_error: TRUE
extern void reach_error(void);
extern long double __VERIFIER_nondet_long_double(void);

int main(void) {
    long double x = __VERIFIER_nondet_long_double();
    if (x >= 1 && x <= 2) {
        long double y = x + x;
        if (y < 2 || y > 4 || y != y || y < x)
            reach_error();
        y = x * x;
        if (y < 1 || y > 4)
            reach_error();
    }
    return 0;
}
