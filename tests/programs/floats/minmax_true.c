// fmin and fmax prefer numbers; fdim is never negative.
//# call reach_error: TRUE
extern void reach_error(void);
double fmin(double, double), fmax(double, double), fdim(double, double), copysign(double, double), fabs(double);

int main(void) {
    double nan = __builtin_nan("");
    if (fmin(nan, 1) != 1 || fmax(2, nan) != 2 || fmin(1, -1) != -1 || fmax(-0.5, 0.25) != 0.25 || fdim(1, 3) != 0 || fdim(3, 1) != 2)
        reach_error();
    if (copysign(3, -0.0) != -3 || fabs(-0.1) != 0.1 || __builtin_signbit(fabs(-nan)) || fmin(nan, nan) == 0)
        reach_error();
    return 0;
}
