// fabs is never negative, and its sign is clear.
//# call reach_error: TRUE
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
double fabs(double);

int main(void) {
    double x = __VERIFIER_nondet_double();
    double a = fabs(x);
    if (a < 0 || __builtin_signbit(a) || (x < 0 && a != -x))
        reach_error();
    return 0;
}
