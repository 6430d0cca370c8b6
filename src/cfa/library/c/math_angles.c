/* math.h: angles. The special values of ISO C11, annex F, and the range are said; the rest is not modelled.
   Each function stands here for double, float and long double. */

double __provident_any_acos(void);
float __provident_any_acosf(void);
long double __provident_any_acosl(void);
double __provident_any_asin(void);
float __provident_any_asinf(void);
long double __provident_any_asinl(void);
double __provident_any_atan(void);
double __provident_any_atan2(void);
float __provident_any_atan2f(void);
long double __provident_any_atan2l(void);
float __provident_any_atanf(void);
long double __provident_any_atanl(void);
double __provident_any_cos(void);
float __provident_any_cosf(void);
long double __provident_any_cosl(void);
double __provident_any_sin(void);
float __provident_any_sinf(void);
long double __provident_any_sinl(void);
double __provident_any_tan(void);
float __provident_any_tanf(void);
long double __provident_any_tanl(void);

/* The sine. */
double sin(double x) {
    double r = __provident_any_sin();
    if (x != x)
        return x;
    if (x - x != 0)
        return -__builtin_nan("");
    if (x == 0)
        return x;
    __VERIFIER_assume(r >= -1 && r <= 1);
    return r;
}

/* The sine. */
float sinf(float x) {
    float r = __provident_any_sinf();
    if (x != x)
        return x;
    if (x - x != 0)
        return -__builtin_nanf("");
    if (x == 0)
        return x;
    __VERIFIER_assume(r >= -1 && r <= 1);
    return r;
}

/* The sine. */
long double sinl(long double x) {
    long double r = __provident_any_sinl();
    if (x != x)
        return x;
    if (x - x != 0)
        return -__builtin_nanl("");
    if (x == 0)
        return x;
    __VERIFIER_assume(r >= -1 && r <= 1);
    return r;
}

/* The cosine. */
double cos(double x) {
    double r = __provident_any_cos();
    if (x != x)
        return x;
    if (x - x != 0)
        return -__builtin_nan("");
    if (x == 0)
        return 1;
    __VERIFIER_assume(r >= -1 && r <= 1);
    return r;
}

/* The cosine. */
float cosf(float x) {
    float r = __provident_any_cosf();
    if (x != x)
        return x;
    if (x - x != 0)
        return -__builtin_nanf("");
    if (x == 0)
        return 1;
    __VERIFIER_assume(r >= -1 && r <= 1);
    return r;
}

/* The cosine. */
long double cosl(long double x) {
    long double r = __provident_any_cosl();
    if (x != x)
        return x;
    if (x - x != 0)
        return -__builtin_nanl("");
    if (x == 0)
        return 1;
    __VERIFIER_assume(r >= -1 && r <= 1);
    return r;
}

/* The tangent. */
double tan(double x) {
    double r = __provident_any_tan();
    if (x != x)
        return x;
    if (x - x != 0)
        return -__builtin_nan("");
    if (x == 0)
        return x;
    __VERIFIER_assume(r == r);
    return r;
}

/* The tangent. */
float tanf(float x) {
    float r = __provident_any_tanf();
    if (x != x)
        return x;
    if (x - x != 0)
        return -__builtin_nanf("");
    if (x == 0)
        return x;
    __VERIFIER_assume(r == r);
    return r;
}

/* The tangent. */
long double tanl(long double x) {
    long double r = __provident_any_tanl();
    if (x != x)
        return x;
    if (x - x != 0)
        return -__builtin_nanl("");
    if (x == 0)
        return x;
    __VERIFIER_assume(r == r);
    return r;
}

/* The arc sine. */
double asin(double x) {
    double r = __provident_any_asin();
    if (x != x)
        return x;
    if (x < -1 || x > 1)
        return -__builtin_nan("");
    if (x == 0)
        return x;
    __VERIFIER_assume(r >= -1.5707963267948968 && r <= 1.5707963267948968);
    return r;
}

/* The arc sine. */
float asinf(float x) {
    float r = __provident_any_asinf();
    if (x != x)
        return x;
    if (x < -1 || x > 1)
        return -__builtin_nanf("");
    if (x == 0)
        return x;
    __VERIFIER_assume(r >= -1.5707963267948968f && r <= 1.5707963267948968f);
    return r;
}

/* The arc sine. */
long double asinl(long double x) {
    long double r = __provident_any_asinl();
    if (x != x)
        return x;
    if (x < -1 || x > 1)
        return -__builtin_nanl("");
    if (x == 0)
        return x;
    __VERIFIER_assume(r >= -1.5707963267948968l && r <= 1.5707963267948968l);
    return r;
}

/* The arc cosine. */
double acos(double x) {
    double r = __provident_any_acos();
    if (x != x)
        return x;
    if (x < -1 || x > 1)
        return -__builtin_nan("");
    if (x == 1)
        return 0;
    __VERIFIER_assume(r >= 0 && r <= 3.1415926535897936);
    return r;
}

/* The arc cosine. */
float acosf(float x) {
    float r = __provident_any_acosf();
    if (x != x)
        return x;
    if (x < -1 || x > 1)
        return -__builtin_nanf("");
    if (x == 1)
        return 0;
    __VERIFIER_assume(r >= 0 && r <= 3.1415926535897936f);
    return r;
}

/* The arc cosine. */
long double acosl(long double x) {
    long double r = __provident_any_acosl();
    if (x != x)
        return x;
    if (x < -1 || x > 1)
        return -__builtin_nanl("");
    if (x == 1)
        return 0;
    __VERIFIER_assume(r >= 0 && r <= 3.1415926535897936l);
    return r;
}

/* The arc tangent. */
double atan(double x) {
    double r = __provident_any_atan();
    if (x != x)
        return x;
    if (x == 0)
        return x;
    __VERIFIER_assume(r >= -1.5707963267948968 && r <= 1.5707963267948968);
    __VERIFIER_assume(x < 0 ? r <= 0 : r >= 0);
    return r;
}

/* The arc tangent. */
float atanf(float x) {
    float r = __provident_any_atanf();
    if (x != x)
        return x;
    if (x == 0)
        return x;
    __VERIFIER_assume(r >= -1.5707963267948968f && r <= 1.5707963267948968f);
    __VERIFIER_assume(x < 0 ? r <= 0 : r >= 0);
    return r;
}

/* The arc tangent. */
long double atanl(long double x) {
    long double r = __provident_any_atanl();
    if (x != x)
        return x;
    if (x == 0)
        return x;
    __VERIFIER_assume(r >= -1.5707963267948968l && r <= 1.5707963267948968l);
    __VERIFIER_assume(x < 0 ? r <= 0 : r >= 0);
    return r;
}

/* The angle of the point (x, y). */
double atan2(double y, double x) {
    double r = __provident_any_atan2();
    if (x != x || y != y)
        return x + y;
    __VERIFIER_assume(r >= -3.1415926535897936 && r <= 3.1415926535897936);
    return r;
}

/* The angle of the point (x, y). */
float atan2f(float y, float x) {
    float r = __provident_any_atan2f();
    if (x != x || y != y)
        return x + y;
    __VERIFIER_assume(r >= -3.1415926535897936f && r <= 3.1415926535897936f);
    return r;
}

/* The angle of the point (x, y). */
long double atan2l(long double y, long double x) {
    long double r = __provident_any_atan2l();
    if (x != x || y != y)
        return x + y;
    __VERIFIER_assume(r >= -3.1415926535897936l && r <= 3.1415926535897936l);
    return r;
}
