// Order, negation and classes of inputs of x87's format.
//# call reach_error: TRUE
extern void reach_error(void);
extern long double __VERIFIER_nondet_long_double(void);

int main(void) {
    long double x = __VERIFIER_nondet_long_double(), y = __VERIFIER_nondet_long_double();
    if (x < y && !(-y < -x))
        reach_error();
    if (x < y && y <= x)
        reach_error();
    if (!(x < y) && !(x > y) && !(x == y) && x == x && y == y)
        reach_error();
    if (__builtin_fabsl(x) < 0 || (__builtin_isnan(x) && __builtin_isinf(x)))
        reach_error();
    if (__builtin_signbit(x) && x > 0)
        reach_error();
    return 0;
}
