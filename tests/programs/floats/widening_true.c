// Rounding to float moves a number by half a step at most, and widening moves none.
//# call reach_error: TRUE
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    double d = __VERIFIER_nondet_double();
    float f = d;
    double back = f;
    if (d >= 1 && d <= 2 && (back < d - 0.0000001 || back > d + 0.0000001))
        reach_error();
    if ((float)back != f && f == f)
        reach_error();
    return 0;
}
