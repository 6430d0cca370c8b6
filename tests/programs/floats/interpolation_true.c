// Between two points the line stays between them.
//# call reach_error: TRUE
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    double t = __VERIFIER_nondet_double();
    if (!(t >= 0 && t <= 1))
        return 0;
    double v = 2.0 + t * (5.0 - 2.0);
    if (v < 2 || v > 5)
        reach_error();
    return 0;
}
