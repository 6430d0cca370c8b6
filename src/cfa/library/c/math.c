/* math.h: what is no operation of the verifier. Functions whose result every implementation computes alike are exact; of the others the special values of
   ISO C11, annex F, and the range are said, and the rest is not modelled. Each function stands here for double, float and long double. */

double __provident_any_acos(void);
float __provident_any_acosf(void);
double __provident_any_acosh(void);
float __provident_any_acoshf(void);
long double __provident_any_acoshl(void);
long double __provident_any_acosl(void);
double __provident_any_asin(void);
float __provident_any_asinf(void);
double __provident_any_asinh(void);
float __provident_any_asinhf(void);
long double __provident_any_asinhl(void);
long double __provident_any_asinl(void);
double __provident_any_atan(void);
double __provident_any_atan2(void);
float __provident_any_atan2f(void);
long double __provident_any_atan2l(void);
float __provident_any_atanf(void);
double __provident_any_atanh(void);
float __provident_any_atanhf(void);
long double __provident_any_atanhl(void);
long double __provident_any_atanl(void);
double __provident_any_cbrt(void);
float __provident_any_cbrtf(void);
long double __provident_any_cbrtl(void);
double __provident_any_cos(void);
float __provident_any_cosf(void);
double __provident_any_cosh(void);
float __provident_any_coshf(void);
long double __provident_any_coshl(void);
long double __provident_any_cosl(void);
double __provident_any_erf(void);
double __provident_any_erfc(void);
float __provident_any_erfcf(void);
long double __provident_any_erfcl(void);
float __provident_any_erff(void);
long double __provident_any_erfl(void);
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
double __provident_any_nan(void);
float __provident_any_nanf(void);
long double __provident_any_nanl(void);
double __provident_any_pow(void);
float __provident_any_powf(void);
long double __provident_any_powl(void);
double __provident_any_sin(void);
float __provident_any_sinf(void);
double __provident_any_sinh(void);
float __provident_any_sinhf(void);
long double __provident_any_sinhl(void);
long double __provident_any_sinl(void);
double __provident_any_tan(void);
float __provident_any_tanf(void);
double __provident_any_tanh(void);
float __provident_any_tanhf(void);
long double __provident_any_tanhl(void);
long double __provident_any_tanl(void);

/* x - y if that is positive, otherwise zero; NaN if an argument is. */
double fdim(double x, double y) {
    if (x != x || y != y)
        return x + y;
    return x > y ? x - y : 0;
}

/* x - y if that is positive, otherwise zero; NaN if an argument is. */
float fdimf(float x, float y) {
    if (x != x || y != y)
        return x + y;
    return x > y ? x - y : 0;
}

/* x - y if that is positive, otherwise zero; NaN if an argument is. */
long double fdiml(long double x, long double y) {
    if (x != x || y != y)
        return x + y;
    return x > y ? x - y : 0;
}

/* The fraction and the whole part, both with the sign of x. */
double modf(double x, double *whole) {
    double part = __builtin_trunc(x);
    *whole = part;
    if (part == x)
        return __builtin_copysign(0, x);
    return x != x ? x : __builtin_copysign(x - part, x);
}

/* The fraction and the whole part, both with the sign of x. */
float modff(float x, float *whole) {
    float part = __builtin_truncf(x);
    *whole = part;
    if (part == x)
        return __builtin_copysignf(0, x);
    return x != x ? x : __builtin_copysignf(x - part, x);
}

/* The fraction and the whole part, both with the sign of x. */
long double modfl(long double x, long double *whole) {
    long double part = __builtin_truncl(x);
    *whole = part;
    if (part == x)
        return __builtin_copysignl(0, x);
    return x != x ? x : __builtin_copysignl(x - part, x);
}

/* The fraction with magnitude in [1/2, 1) and the power of two that make x. */
double frexp(double x, int *power) {
    *power = 0;
    if (x == 0 || x != x || x - x != 0)
        return x;
    int exponent = __builtin_ilogb(x) + 1;
    *power = exponent;
    /* Of the least numbers 2 to the -exponent is too large: two steps. */
    double near = __builtin_ldexp(x, -(exponent / 2));
    return __builtin_ldexp(near, exponent / 2 - exponent);
}

/* The fraction with magnitude in [1/2, 1) and the power of two that make x. */
float frexpf(float x, int *power) {
    *power = 0;
    if (x == 0 || x != x || x - x != 0)
        return x;
    int exponent = __builtin_ilogbf(x) + 1;
    *power = exponent;
    /* Of the least numbers 2 to the -exponent is too large: two steps. */
    float near = __builtin_ldexpf(x, -(exponent / 2));
    return __builtin_ldexpf(near, exponent / 2 - exponent);
}

/* The fraction with magnitude in [1/2, 1) and the power of two that make x. */
long double frexpl(long double x, int *power) {
    *power = 0;
    if (x == 0 || x != x || x - x != 0)
        return x;
    int exponent = __builtin_ilogbl(x) + 1;
    *power = exponent;
    /* Of the least numbers 2 to the -exponent is too large: two steps. */
    long double near = __builtin_ldexpl(x, -(exponent / 2));
    return __builtin_ldexpl(near, exponent / 2 - exponent);
}

/* The exponent of x as a floating-point number. */
double logb(double x) {
    if (x == 0)
        return -__builtin_inf();
    if (x != x || x - x != 0)
        return x * x;
    return __builtin_ilogb(x);
}

/* The exponent of x as a floating-point number. */
float logbf(float x) {
    if (x == 0)
        return -__builtin_inff();
    if (x != x || x - x != 0)
        return x * x;
    return __builtin_ilogbf(x);
}

/* The exponent of x as a floating-point number. */
long double logbl(long double x) {
    if (x == 0)
        return -__builtin_infl();
    if (x != x || x - x != 0)
        return x * x;
    return __builtin_ilogbl(x);
}

/* The number next to x in the direction of y. */
double nexttoward(double x, long double y) {
    if (x != x)
        return x;
    if (y != y)
        return (double)y;
    if (x == y)
        return (double)y;
    return __builtin_nextafter(x, x < y ? __builtin_inf() : -__builtin_inf());
}

/* The number next to x in the direction of y. */
float nexttowardf(float x, long double y) {
    if (x != x)
        return x;
    if (y != y)
        return (float)y;
    if (x == y)
        return (float)y;
    return __builtin_nextafterf(x, x < y ? __builtin_inff() : -__builtin_inff());
}

/* The number next to x in the direction of y. */
long double nexttowardl(long double x, long double y) {
    if (x != x)
        return x;
    if (y != y)
        return (long double)y;
    if (x == y)
        return (long double)y;
    return __builtin_nextafterl(x, x < y ? __builtin_infl() : -__builtin_infl());
}

/* The remainder of the quotient rounded to the nearest integer, and the quotient's sign and lowest three bits. */
double remquo(double x, double y, int *quotient) {
    *quotient = 0;
    double rest = __builtin_remainder(x, y);
    if (rest != rest || y - y != 0)
        return rest;
    /* With magnitudes: x mod 8y is below 8y, so that the quotient is counted down from 4. */
    double size = __builtin_fabs(y);
    double left = __builtin_fabs(x);
    double eight = 8 * size;
    if (eight - eight == 0)
        left = __builtin_fmod(left, eight);
    int bits = 0;
    if (4 * size <= left) {
        left -= 4 * size;
        bits += 4;
    }
    if (2 * size <= left) {
        left -= 2 * size;
        bits += 2;
    }
    /* Here left is below 2 * size; the nearest multiple is 0, 1 or 2, of two equally near ones the even one. */
    if (left > size) {
        left -= size;
        bits += 1;
        if (left > size - left || (left == size - left && bits % 2 == 1))
            bits += 1;
    } else if (left > size - left || (left == size - left && bits % 2 == 1))
        bits += 1;
    bits = bits % 8;
    *quotient = (x < 0) != (y < 0) ? -bits : bits;
    return rest;
}

/* The remainder of the quotient rounded to the nearest integer, and the quotient's sign and lowest three bits. */
float remquof(float x, float y, int *quotient) {
    *quotient = 0;
    float rest = __builtin_remainderf(x, y);
    if (rest != rest || y - y != 0)
        return rest;
    /* With magnitudes: x mod 8y is below 8y, so that the quotient is counted down from 4. */
    float size = __builtin_fabsf(y);
    float left = __builtin_fabsf(x);
    float eight = 8 * size;
    if (eight - eight == 0)
        left = __builtin_fmodf(left, eight);
    int bits = 0;
    if (4 * size <= left) {
        left -= 4 * size;
        bits += 4;
    }
    if (2 * size <= left) {
        left -= 2 * size;
        bits += 2;
    }
    /* Here left is below 2 * size; the nearest multiple is 0, 1 or 2, of two equally near ones the even one. */
    if (left > size) {
        left -= size;
        bits += 1;
        if (left > size - left || (left == size - left && bits % 2 == 1))
            bits += 1;
    } else if (left > size - left || (left == size - left && bits % 2 == 1))
        bits += 1;
    bits = bits % 8;
    *quotient = (x < 0) != (y < 0) ? -bits : bits;
    return rest;
}

/* The remainder of the quotient rounded to the nearest integer, and the quotient's sign and lowest three bits. */
long double remquol(long double x, long double y, int *quotient) {
    *quotient = 0;
    long double rest = __builtin_remainderl(x, y);
    if (rest != rest || y - y != 0)
        return rest;
    /* With magnitudes: x mod 8y is below 8y, so that the quotient is counted down from 4. */
    long double size = __builtin_fabsl(y);
    long double left = __builtin_fabsl(x);
    long double eight = 8 * size;
    if (eight - eight == 0)
        left = __builtin_fmodl(left, eight);
    int bits = 0;
    if (4 * size <= left) {
        left -= 4 * size;
        bits += 4;
    }
    if (2 * size <= left) {
        left -= 2 * size;
        bits += 2;
    }
    /* Here left is below 2 * size; the nearest multiple is 0, 1 or 2, of two equally near ones the even one. */
    if (left > size) {
        left -= size;
        bits += 1;
        if (left > size - left || (left == size - left && bits % 2 == 1))
            bits += 1;
    } else if (left > size - left || (left == size - left && bits % 2 == 1))
        bits += 1;
    bits = bits % 8;
    *quotient = (x < 0) != (y < 0) ? -bits : bits;
    return rest;
}

/* A NaN; the number in the text is its payload. */
double nan(const char *payload) {
    double some = __provident_any_nan();
    if (payload[0] == 0)
        return __builtin_nan("");
    __VERIFIER_assume(some != some);
    return some;
}

/* A NaN; the number in the text is its payload. */
float nanf(const char *payload) {
    float some = __provident_any_nanf();
    if (payload[0] == 0)
        return __builtin_nanf("");
    __VERIFIER_assume(some != some);
    return some;
}

/* A NaN; the number in the text is its payload. */
long double nanl(const char *payload) {
    long double some = __provident_any_nanl();
    if (payload[0] == 0)
        return __builtin_nanl("");
    __VERIFIER_assume(some != some);
    return some;
}

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
