/* math.h: what is no operation of the verifier and what every implementation computes alike. Each function stands here for double, float and long double. The
   others are in files of their own: of them the special values of ISO C11, annex F, and the range are said, and the rest is not modelled. */

double __provident_any_nan(void);
float __provident_any_nanf(void);
long double __provident_any_nanl(void);

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
