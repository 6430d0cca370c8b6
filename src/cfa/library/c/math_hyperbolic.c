/* math.h: hyperbolic functions and the error function. The special values of ISO C11, annex F, and the range are said; the rest is not modelled.
   Each function stands here for double, float and long double. */

double __provident_any_acosh(void);
float __provident_any_acoshf(void);
long double __provident_any_acoshl(void);
double __provident_any_asinh(void);
float __provident_any_asinhf(void);
long double __provident_any_asinhl(void);
double __provident_any_atanh(void);
float __provident_any_atanhf(void);
long double __provident_any_atanhl(void);
double __provident_any_cosh(void);
float __provident_any_coshf(void);
long double __provident_any_coshl(void);
double __provident_any_erf(void);
double __provident_any_erfc(void);
float __provident_any_erfcf(void);
long double __provident_any_erfcl(void);
float __provident_any_erff(void);
long double __provident_any_erfl(void);
double __provident_any_sinh(void);
float __provident_any_sinhf(void);
long double __provident_any_sinhl(void);
double __provident_any_tanh(void);
float __provident_any_tanhf(void);
long double __provident_any_tanhl(void);

/* The hyperbolic sine. */
double sinh(double x) {
    double r = __provident_any_sinh();
    if (x != x)
        return x;
    if (x == 0 || x - x != 0)
        return x;
    __VERIFIER_assume(x < 0 ? r <= 0 : r >= 0);
    return r;
}

/* The hyperbolic sine. */
float sinhf(float x) {
    float r = __provident_any_sinhf();
    if (x != x)
        return x;
    if (x == 0 || x - x != 0)
        return x;
    __VERIFIER_assume(x < 0 ? r <= 0 : r >= 0);
    return r;
}

/* The hyperbolic sine. */
long double sinhl(long double x) {
    long double r = __provident_any_sinhl();
    if (x != x)
        return x;
    if (x == 0 || x - x != 0)
        return x;
    __VERIFIER_assume(x < 0 ? r <= 0 : r >= 0);
    return r;
}

/* The hyperbolic cosine. */
double cosh(double x) {
    double r = __provident_any_cosh();
    if (x != x)
        return x;
    if (x == 0)
        return 1;
    if (x - x != 0)
        return x * x;
    __VERIFIER_assume(r >= 1);
    return r;
}

/* The hyperbolic cosine. */
float coshf(float x) {
    float r = __provident_any_coshf();
    if (x != x)
        return x;
    if (x == 0)
        return 1;
    if (x - x != 0)
        return x * x;
    __VERIFIER_assume(r >= 1);
    return r;
}

/* The hyperbolic cosine. */
long double coshl(long double x) {
    long double r = __provident_any_coshl();
    if (x != x)
        return x;
    if (x == 0)
        return 1;
    if (x - x != 0)
        return x * x;
    __VERIFIER_assume(r >= 1);
    return r;
}

/* The hyperbolic tangent. */
double tanh(double x) {
    double r = __provident_any_tanh();
    if (x != x)
        return x;
    if (x == 0)
        return x;
    __VERIFIER_assume(r >= -1 && r <= 1);
    __VERIFIER_assume(x < 0 ? r <= 0 : r >= 0);
    return r;
}

/* The hyperbolic tangent. */
float tanhf(float x) {
    float r = __provident_any_tanhf();
    if (x != x)
        return x;
    if (x == 0)
        return x;
    __VERIFIER_assume(r >= -1 && r <= 1);
    __VERIFIER_assume(x < 0 ? r <= 0 : r >= 0);
    return r;
}

/* The hyperbolic tangent. */
long double tanhl(long double x) {
    long double r = __provident_any_tanhl();
    if (x != x)
        return x;
    if (x == 0)
        return x;
    __VERIFIER_assume(r >= -1 && r <= 1);
    __VERIFIER_assume(x < 0 ? r <= 0 : r >= 0);
    return r;
}

/* The inverse of sinh. */
double asinh(double x) {
    double r = __provident_any_asinh();
    if (x != x)
        return x;
    if (x == 0 || x - x != 0)
        return x;
    __VERIFIER_assume(x < 0 ? r <= 0 : r >= 0);
    return r;
}

/* The inverse of sinh. */
float asinhf(float x) {
    float r = __provident_any_asinhf();
    if (x != x)
        return x;
    if (x == 0 || x - x != 0)
        return x;
    __VERIFIER_assume(x < 0 ? r <= 0 : r >= 0);
    return r;
}

/* The inverse of sinh. */
long double asinhl(long double x) {
    long double r = __provident_any_asinhl();
    if (x != x)
        return x;
    if (x == 0 || x - x != 0)
        return x;
    __VERIFIER_assume(x < 0 ? r <= 0 : r >= 0);
    return r;
}

/* The inverse of cosh. */
double acosh(double x) {
    double r = __provident_any_acosh();
    if (x != x)
        return x;
    if (x < 1)
        return -__builtin_nan("");
    if (x == 1)
        return 0;
    if (x - x != 0)
        return x;
    __VERIFIER_assume(r >= 0);
    return r;
}

/* The inverse of cosh. */
float acoshf(float x) {
    float r = __provident_any_acoshf();
    if (x != x)
        return x;
    if (x < 1)
        return -__builtin_nanf("");
    if (x == 1)
        return 0;
    if (x - x != 0)
        return x;
    __VERIFIER_assume(r >= 0);
    return r;
}

/* The inverse of cosh. */
long double acoshl(long double x) {
    long double r = __provident_any_acoshl();
    if (x != x)
        return x;
    if (x < 1)
        return -__builtin_nanl("");
    if (x == 1)
        return 0;
    if (x - x != 0)
        return x;
    __VERIFIER_assume(r >= 0);
    return r;
}

/* The inverse of tanh. */
double atanh(double x) {
    double r = __provident_any_atanh();
    if (x != x)
        return x;
    if (x < -1 || x > 1)
        return -__builtin_nan("");
    if (x == 0)
        return x;
    if (x == 1)
        return __builtin_inf();
    if (x == -1)
        return -__builtin_inf();
    __VERIFIER_assume(x < 0 ? r <= 0 : r >= 0);
    return r;
}

/* The inverse of tanh. */
float atanhf(float x) {
    float r = __provident_any_atanhf();
    if (x != x)
        return x;
    if (x < -1 || x > 1)
        return -__builtin_nanf("");
    if (x == 0)
        return x;
    if (x == 1)
        return __builtin_inff();
    if (x == -1)
        return -__builtin_inff();
    __VERIFIER_assume(x < 0 ? r <= 0 : r >= 0);
    return r;
}

/* The inverse of tanh. */
long double atanhl(long double x) {
    long double r = __provident_any_atanhl();
    if (x != x)
        return x;
    if (x < -1 || x > 1)
        return -__builtin_nanl("");
    if (x == 0)
        return x;
    if (x == 1)
        return __builtin_infl();
    if (x == -1)
        return -__builtin_infl();
    __VERIFIER_assume(x < 0 ? r <= 0 : r >= 0);
    return r;
}

/* The error function. */
double erf(double x) {
    double r = __provident_any_erf();
    if (x != x)
        return x;
    if (x == 0)
        return x;
    if (x - x != 0)
        return x > 0 ? 1 : -1;
    __VERIFIER_assume(r >= -1 && r <= 1);
    __VERIFIER_assume(x < 0 ? r <= 0 : r >= 0);
    return r;
}

/* The error function. */
float erff(float x) {
    float r = __provident_any_erff();
    if (x != x)
        return x;
    if (x == 0)
        return x;
    if (x - x != 0)
        return x > 0 ? 1 : -1;
    __VERIFIER_assume(r >= -1 && r <= 1);
    __VERIFIER_assume(x < 0 ? r <= 0 : r >= 0);
    return r;
}

/* The error function. */
long double erfl(long double x) {
    long double r = __provident_any_erfl();
    if (x != x)
        return x;
    if (x == 0)
        return x;
    if (x - x != 0)
        return x > 0 ? 1 : -1;
    __VERIFIER_assume(r >= -1 && r <= 1);
    __VERIFIER_assume(x < 0 ? r <= 0 : r >= 0);
    return r;
}

/* 1 - erf(x). */
double erfc(double x) {
    double r = __provident_any_erfc();
    if (x != x)
        return x;
    if (x - x != 0)
        return x > 0 ? 0 : 2;
    __VERIFIER_assume(r >= 0 && r <= 2);
    return r;
}

/* 1 - erf(x). */
float erfcf(float x) {
    float r = __provident_any_erfcf();
    if (x != x)
        return x;
    if (x - x != 0)
        return x > 0 ? 0 : 2;
    __VERIFIER_assume(r >= 0 && r <= 2);
    return r;
}

/* 1 - erf(x). */
long double erfcl(long double x) {
    long double r = __provident_any_erfcl();
    if (x != x)
        return x;
    if (x - x != 0)
        return x > 0 ? 0 : 2;
    __VERIFIER_assume(r >= 0 && r <= 2);
    return r;
}
