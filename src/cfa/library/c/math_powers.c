/* math.h: exponentials, roots and powers. The special values of ISO C11, annex F, and the range are said; the rest is not modelled.
   Each function stands here for double, float and long double. */

double __provident_any_cbrt(void);
float __provident_any_cbrtf(void);
long double __provident_any_cbrtl(void);
double __provident_any_exp(void);
double __provident_any_exp10(void);
float __provident_any_exp10f(void);
long double __provident_any_exp10l(void);
double __provident_any_exp2(void);
float __provident_any_exp2f(void);
long double __provident_any_exp2l(void);
float __provident_any_expf(void);
long double __provident_any_expl(void);
double __provident_any_expm1(void);
float __provident_any_expm1f(void);
long double __provident_any_expm1l(void);
double __provident_any_hypot(void);
float __provident_any_hypotf(void);
long double __provident_any_hypotl(void);
double __provident_any_pow(void);
float __provident_any_powf(void);
long double __provident_any_powl(void);

/* e to the power of x. */
double exp(double x) {
    double r = __provident_any_exp();
    if (x != x)
        return x;
    if (x == 0)
        return 1;
    if (x - x != 0)
        return x > 0 ? x : 0;
    __VERIFIER_assume(r >= 0);
    __VERIFIER_assume(x < 0 ? r <= 1 : r >= 1);
    return r;
}

/* e to the power of x. */
float expf(float x) {
    float r = __provident_any_expf();
    if (x != x)
        return x;
    if (x == 0)
        return 1;
    if (x - x != 0)
        return x > 0 ? x : 0;
    __VERIFIER_assume(r >= 0);
    __VERIFIER_assume(x < 0 ? r <= 1 : r >= 1);
    return r;
}

/* e to the power of x. */
long double expl(long double x) {
    long double r = __provident_any_expl();
    if (x != x)
        return x;
    if (x == 0)
        return 1;
    if (x - x != 0)
        return x > 0 ? x : 0;
    __VERIFIER_assume(r >= 0);
    __VERIFIER_assume(x < 0 ? r <= 1 : r >= 1);
    return r;
}

/* 2 to the power of x. */
double exp2(double x) {
    double r = __provident_any_exp2();
    if (x != x)
        return x;
    if (x == 0)
        return 1;
    if (x - x != 0)
        return x > 0 ? x : 0;
    __VERIFIER_assume(r >= 0);
    __VERIFIER_assume(x < 0 ? r <= 1 : r >= 1);
    return r;
}

/* 2 to the power of x. */
float exp2f(float x) {
    float r = __provident_any_exp2f();
    if (x != x)
        return x;
    if (x == 0)
        return 1;
    if (x - x != 0)
        return x > 0 ? x : 0;
    __VERIFIER_assume(r >= 0);
    __VERIFIER_assume(x < 0 ? r <= 1 : r >= 1);
    return r;
}

/* 2 to the power of x. */
long double exp2l(long double x) {
    long double r = __provident_any_exp2l();
    if (x != x)
        return x;
    if (x == 0)
        return 1;
    if (x - x != 0)
        return x > 0 ? x : 0;
    __VERIFIER_assume(r >= 0);
    __VERIFIER_assume(x < 0 ? r <= 1 : r >= 1);
    return r;
}

/* 10 to the power of x. */
double exp10(double x) {
    double r = __provident_any_exp10();
    if (x != x)
        return x;
    if (x == 0)
        return 1;
    if (x - x != 0)
        return x > 0 ? x : 0;
    __VERIFIER_assume(r >= 0);
    __VERIFIER_assume(x < 0 ? r <= 1 : r >= 1);
    return r;
}

/* 10 to the power of x. */
float exp10f(float x) {
    float r = __provident_any_exp10f();
    if (x != x)
        return x;
    if (x == 0)
        return 1;
    if (x - x != 0)
        return x > 0 ? x : 0;
    __VERIFIER_assume(r >= 0);
    __VERIFIER_assume(x < 0 ? r <= 1 : r >= 1);
    return r;
}

/* 10 to the power of x. */
long double exp10l(long double x) {
    long double r = __provident_any_exp10l();
    if (x != x)
        return x;
    if (x == 0)
        return 1;
    if (x - x != 0)
        return x > 0 ? x : 0;
    __VERIFIER_assume(r >= 0);
    __VERIFIER_assume(x < 0 ? r <= 1 : r >= 1);
    return r;
}

/* exp(x) - 1. */
double expm1(double x) {
    double r = __provident_any_expm1();
    if (x != x)
        return x;
    if (x == 0)
        return x;
    if (x - x != 0)
        return x > 0 ? x : -1;
    __VERIFIER_assume(r >= -1);
    __VERIFIER_assume(x < 0 ? r <= 0 : r >= 0);
    return r;
}

/* exp(x) - 1. */
float expm1f(float x) {
    float r = __provident_any_expm1f();
    if (x != x)
        return x;
    if (x == 0)
        return x;
    if (x - x != 0)
        return x > 0 ? x : -1;
    __VERIFIER_assume(r >= -1);
    __VERIFIER_assume(x < 0 ? r <= 0 : r >= 0);
    return r;
}

/* exp(x) - 1. */
long double expm1l(long double x) {
    long double r = __provident_any_expm1l();
    if (x != x)
        return x;
    if (x == 0)
        return x;
    if (x - x != 0)
        return x > 0 ? x : -1;
    __VERIFIER_assume(r >= -1);
    __VERIFIER_assume(x < 0 ? r <= 0 : r >= 0);
    return r;
}

/* The cube root. */
double cbrt(double x) {
    double r = __provident_any_cbrt();
    if (x != x)
        return x;
    if (x == 0 || x - x != 0)
        return x;
    __VERIFIER_assume(r == r);
    __VERIFIER_assume(x < 0 ? r <= 0 : r >= 0);
    return r;
}

/* The cube root. */
float cbrtf(float x) {
    float r = __provident_any_cbrtf();
    if (x != x)
        return x;
    if (x == 0 || x - x != 0)
        return x;
    __VERIFIER_assume(r == r);
    __VERIFIER_assume(x < 0 ? r <= 0 : r >= 0);
    return r;
}

/* The cube root. */
long double cbrtl(long double x) {
    long double r = __provident_any_cbrtl();
    if (x != x)
        return x;
    if (x == 0 || x - x != 0)
        return x;
    __VERIFIER_assume(r == r);
    __VERIFIER_assume(x < 0 ? r <= 0 : r >= 0);
    return r;
}

/* x to the power of y. */
double pow(double x, double y) {
    double r = __provident_any_pow();
    if (y == 0 || x == 1)
        return 1;
    if (x != x || y != y)
        return x + y;
    __VERIFIER_assume(x < 0 || r >= 0);
    return r;
}

/* x to the power of y. */
float powf(float x, float y) {
    float r = __provident_any_powf();
    if (y == 0 || x == 1)
        return 1;
    if (x != x || y != y)
        return x + y;
    __VERIFIER_assume(x < 0 || r >= 0);
    return r;
}

/* x to the power of y. */
long double powl(long double x, long double y) {
    long double r = __provident_any_powl();
    if (y == 0 || x == 1)
        return 1;
    if (x != x || y != y)
        return x + y;
    __VERIFIER_assume(x < 0 || r >= 0);
    return r;
}

/* The square root of x * x + y * y without intermediate overflow. */
double hypot(double x, double y) {
    double r = __provident_any_hypot();
    if (x - x != 0 && x == x || y - y != 0 && y == y)
        return __builtin_inf();
    if (x != x || y != y)
        return x + y;
    if (x == 0)
        return __builtin_fabs(y);
    if (y == 0)
        return __builtin_fabs(x);
    __VERIFIER_assume(r >= __builtin_fabs(x) && r >= __builtin_fabs(y));
    return r;
}

/* The square root of x * x + y * y without intermediate overflow. */
float hypotf(float x, float y) {
    float r = __provident_any_hypotf();
    if (x - x != 0 && x == x || y - y != 0 && y == y)
        return __builtin_inff();
    if (x != x || y != y)
        return x + y;
    if (x == 0)
        return __builtin_fabsf(y);
    if (y == 0)
        return __builtin_fabsf(x);
    __VERIFIER_assume(r >= __builtin_fabsf(x) && r >= __builtin_fabsf(y));
    return r;
}

/* The square root of x * x + y * y without intermediate overflow. */
long double hypotl(long double x, long double y) {
    long double r = __provident_any_hypotl();
    if (x - x != 0 && x == x || y - y != 0 && y == y)
        return __builtin_infl();
    if (x != x || y != y)
        return x + y;
    if (x == 0)
        return __builtin_fabsl(y);
    if (y == 0)
        return __builtin_fabsl(x);
    __VERIFIER_assume(r >= __builtin_fabsl(x) && r >= __builtin_fabsl(y));
    return r;
}
