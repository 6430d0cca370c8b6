/* math.h: logarithms. The special values of ISO C11, annex F, and the range are said; the rest is not modelled.
   Each function stands here for double, float and long double. */

double __provident_any_log(void);
double __provident_any_log10(void);
float __provident_any_log10f(void);
long double __provident_any_log10l(void);
double __provident_any_log1p(void);
float __provident_any_log1pf(void);
long double __provident_any_log1pl(void);
double __provident_any_log2(void);
float __provident_any_log2f(void);
long double __provident_any_log2l(void);
float __provident_any_logf(void);
long double __provident_any_logl(void);

/* The natural logarithm. */
double log(double x) {
    double r = __provident_any_log();
    if (x != x)
        return x;
    if (x < 0)
        return -__builtin_nan("");
    if (x == 0)
        return -__builtin_inf();
    if (x == 1)
        return 0;
    if (x - x != 0)
        return x;
    __VERIFIER_assume(r == r);
    __VERIFIER_assume(x < 1 ? r <= 0 : r >= 0);
    return r;
}

/* The natural logarithm. */
float logf(float x) {
    float r = __provident_any_logf();
    if (x != x)
        return x;
    if (x < 0)
        return -__builtin_nanf("");
    if (x == 0)
        return -__builtin_inff();
    if (x == 1)
        return 0;
    if (x - x != 0)
        return x;
    __VERIFIER_assume(r == r);
    __VERIFIER_assume(x < 1 ? r <= 0 : r >= 0);
    return r;
}

/* The natural logarithm. */
long double logl(long double x) {
    long double r = __provident_any_logl();
    if (x != x)
        return x;
    if (x < 0)
        return -__builtin_nanl("");
    if (x == 0)
        return -__builtin_infl();
    if (x == 1)
        return 0;
    if (x - x != 0)
        return x;
    __VERIFIER_assume(r == r);
    __VERIFIER_assume(x < 1 ? r <= 0 : r >= 0);
    return r;
}

/* The logarithm of base 2. */
double log2(double x) {
    double r = __provident_any_log2();
    if (x != x)
        return x;
    if (x < 0)
        return -__builtin_nan("");
    if (x == 0)
        return -__builtin_inf();
    if (x == 1)
        return 0;
    if (x - x != 0)
        return x;
    __VERIFIER_assume(r == r);
    __VERIFIER_assume(x < 1 ? r <= 0 : r >= 0);
    return r;
}

/* The logarithm of base 2. */
float log2f(float x) {
    float r = __provident_any_log2f();
    if (x != x)
        return x;
    if (x < 0)
        return -__builtin_nanf("");
    if (x == 0)
        return -__builtin_inff();
    if (x == 1)
        return 0;
    if (x - x != 0)
        return x;
    __VERIFIER_assume(r == r);
    __VERIFIER_assume(x < 1 ? r <= 0 : r >= 0);
    return r;
}

/* The logarithm of base 2. */
long double log2l(long double x) {
    long double r = __provident_any_log2l();
    if (x != x)
        return x;
    if (x < 0)
        return -__builtin_nanl("");
    if (x == 0)
        return -__builtin_infl();
    if (x == 1)
        return 0;
    if (x - x != 0)
        return x;
    __VERIFIER_assume(r == r);
    __VERIFIER_assume(x < 1 ? r <= 0 : r >= 0);
    return r;
}

/* The logarithm of base 10. */
double log10(double x) {
    double r = __provident_any_log10();
    if (x != x)
        return x;
    if (x < 0)
        return -__builtin_nan("");
    if (x == 0)
        return -__builtin_inf();
    if (x == 1)
        return 0;
    if (x - x != 0)
        return x;
    __VERIFIER_assume(r == r);
    __VERIFIER_assume(x < 1 ? r <= 0 : r >= 0);
    return r;
}

/* The logarithm of base 10. */
float log10f(float x) {
    float r = __provident_any_log10f();
    if (x != x)
        return x;
    if (x < 0)
        return -__builtin_nanf("");
    if (x == 0)
        return -__builtin_inff();
    if (x == 1)
        return 0;
    if (x - x != 0)
        return x;
    __VERIFIER_assume(r == r);
    __VERIFIER_assume(x < 1 ? r <= 0 : r >= 0);
    return r;
}

/* The logarithm of base 10. */
long double log10l(long double x) {
    long double r = __provident_any_log10l();
    if (x != x)
        return x;
    if (x < 0)
        return -__builtin_nanl("");
    if (x == 0)
        return -__builtin_infl();
    if (x == 1)
        return 0;
    if (x - x != 0)
        return x;
    __VERIFIER_assume(r == r);
    __VERIFIER_assume(x < 1 ? r <= 0 : r >= 0);
    return r;
}

/* log(1 + x). */
double log1p(double x) {
    double r = __provident_any_log1p();
    if (x != x)
        return x;
    if (x < -1)
        return -__builtin_nan("");
    if (x == -1)
        return -__builtin_inf();
    if (x == 0 || x - x != 0)
        return x;
    __VERIFIER_assume(r == r);
    __VERIFIER_assume(x < 0 ? r <= 0 : r >= 0);
    return r;
}

/* log(1 + x). */
float log1pf(float x) {
    float r = __provident_any_log1pf();
    if (x != x)
        return x;
    if (x < -1)
        return -__builtin_nanf("");
    if (x == -1)
        return -__builtin_inff();
    if (x == 0 || x - x != 0)
        return x;
    __VERIFIER_assume(r == r);
    __VERIFIER_assume(x < 0 ? r <= 0 : r >= 0);
    return r;
}

/* log(1 + x). */
long double log1pl(long double x) {
    long double r = __provident_any_log1pl();
    if (x != x)
        return x;
    if (x < -1)
        return -__builtin_nanl("");
    if (x == -1)
        return -__builtin_infl();
    if (x == 0 || x - x != 0)
        return x;
    __VERIFIER_assume(r == r);
    __VERIFIER_assume(x < 0 ? r <= 0 : r >= 0);
    return r;
}
