// A double goes through the wider formats unchanged.
//# call reach_error: TRUE
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    double d = __VERIFIER_nondet_double();
    long double x = d;
    __float128 q = x;
    if (d > -1e300 && d < -1e-300 && ((double)x != d || (double)q != d || (long double)q != x))
        reach_error();
    if (d != d && (x == x || q == q))
        reach_error();
    if (d == __builtin_inf() && q != d)
        reach_error();
    return 0;
}
