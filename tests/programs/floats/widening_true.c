// Rounding to float moves a number by half a step at most, and widening moves none.
//# call reach_error: TRUE
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    double d = __VERIFIER_nondet_double();
    float f = d;
    double back = f;
    if (d > 1 && d < 1.0000001 && back != 1 && back != 1.00000011920928955078125)
        reach_error();
    if (f >= 1 && f <= 2 && (float)back != f)
        reach_error();
    return 0;
}
