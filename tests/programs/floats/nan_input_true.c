// Whatever is not NaN is in order.
//# call reach_error: TRUE
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
    if (x == x && y == y && !(x < y) && !(x > y) && x != y)
        reach_error();
    return 0;
}
