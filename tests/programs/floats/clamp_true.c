// A value that is clamped is in its bounds, if it is none of NaN.
//# call reach_error: TRUE
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x < -1)
        x = -1;
    if (x > 1)
        x = 1;
    if (x == x && (x < -1 || x > 1))
        reach_error();
    return 0;
}
