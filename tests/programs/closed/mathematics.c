//# holds: good == 9
//# violated: good == 8
// Doubles and floats with the exact functions of math.h: a sieve for square numbers, roots by Newton, remainders, rounding, classification, a matrix inverse.
#include <math.h>
#include <float.h>
extern void reach_error(void);
static double newton(double a) { double x = a; for (int i = 0; i < 60; i++) x = 0.5 * (x + a / x); return x; }
static int invert(double m[4][8])
{
    for (int i = 0; i < 4; i++) {
        int best = i;
        for (int r = i + 1; r < 4; r++) if (fabs(m[r][i]) > fabs(m[best][i])) best = r;
        if (m[best][i] == 0) return 0;
        for (int c = 0; c < 8; c++) { double t = m[i][c]; m[i][c] = m[best][c]; m[best][c] = t; }
        double pivot = m[i][i];
        for (int c = 0; c < 8; c++) m[i][c] /= pivot;
        for (int r = 0; r < 4; r++)
            if (r != i) { double f = m[r][i]; for (int c = 0; c < 8; c++) m[r][c] -= f * m[i][c]; }
    }
    return 1;
}
int main(void)
{
    int good = 0, squares = 0;
    for (int i = 0; i < 1000; i++) { double r = sqrt(i); squares += r == floor(r); }
    good += squares == 32;
    good += fabs(newton(2) - sqrt(2)) <= DBL_EPSILON;
    good += fmod(-7.5, 2) == -1.5 && remainder(7.5, 2) == -0.5;
    good += round(2.5) == 3 && rint(2.5) == 2 && trunc(-2.7) == -2 && ceil(-2.7) == -2 && lround(-2.5) == -3;
    good += isnan(NAN) && isinf(INFINITY) && !isfinite(-INFINITY) && signbit(-0.0) && fpclassify(DBL_MIN / 2) == FP_SUBNORMAL;
    double nothing = 0.0 / good - 0.0 * INFINITY;
    good += nothing != nothing && !(nothing < 1) && fmax(nothing, 3) == 3;
    int e;
    good += frexp(48.0, &e) == 0.75 && e == 6 && ldexp(0.75, 6) == 48 && copysign(2, -0.0) == -2;
    double m[4][8] = { { 4, 7, 2, 0, 1, 0, 0, 0 }, { 3, 6, 1, 9, 0, 1, 0, 0 }, { 2, 5, 3, 1, 0, 0, 1, 0 }, { 1, 0, 8, 2, 0, 0, 0, 1 } };
    double a[4][4], worst = 0;
    for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) a[i][j] = m[i][j];
    good += invert(m);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            double s = 0;
            for (int k = 0; k < 4; k++) s += a[i][k] * m[k][4 + j];
            worst = fmax(worst, fabs(s - (i == j)));
        }
    good += worst < 1e-13 && fmaf(2.0f, 3.0f, 4.0f) == 10.0f && sqrtf(16.0f) == 4.0f;
    if (!(CLAIM)) reach_error();
    return 0;
}
