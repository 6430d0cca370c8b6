/* complex.h: the parts of a complex number, and what is computed from them (ISO C11, 7.3.8 and 7.3.9). Each function stands here for double, float and
   long double. */

double hypot(double x, double y);
float hypotf(float x, float y);
long double hypotl(long double x, long double y);
double atan2(double y, double x);
float atan2f(float y, float x);
long double atan2l(long double y, long double x);

double creal(double _Complex z) {
    return __real__ z;
}
float crealf(float _Complex z) {
    return __real__ z;
}
long double creall(long double _Complex z) {
    return __real__ z;
}

double cimag(double _Complex z) {
    return __imag__ z;
}
float cimagf(float _Complex z) {
    return __imag__ z;
}
long double cimagl(long double _Complex z) {
    return __imag__ z;
}

double _Complex conj(double _Complex z) {
    return ~z;
}
float _Complex conjf(float _Complex z) {
    return ~z;
}
long double _Complex conjl(long double _Complex z) {
    return ~z;
}

double cabs(double _Complex z) {
    return hypot(__real__ z, __imag__ z);
}
float cabsf(float _Complex z) {
    return hypotf(__real__ z, __imag__ z);
}
long double cabsl(long double _Complex z) {
    return hypotl(__real__ z, __imag__ z);
}

double carg(double _Complex z) {
    return atan2(__imag__ z, __real__ z);
}
float cargf(float _Complex z) {
    return atan2f(__imag__ z, __real__ z);
}
long double cargl(long double _Complex z) {
    return atan2l(__imag__ z, __real__ z);
}

/* Every infinity becomes one point; the imaginary part keeps its sign. */
double _Complex cproj(double _Complex z) {
    if (!__builtin_isinf(__real__ z) && !__builtin_isinf(__imag__ z))
        return z;
    return __builtin_complex(__builtin_inf(), __builtin_copysign(0.0, __imag__ z));
}
float _Complex cprojf(float _Complex z) {
    if (!__builtin_isinf(__real__ z) && !__builtin_isinf(__imag__ z))
        return z;
    return __builtin_complex(__builtin_inff(), __builtin_copysignf(0.0f, __imag__ z));
}
long double _Complex cprojl(long double _Complex z) {
    if (!__builtin_isinf(__real__ z) && !__builtin_isinf(__imag__ z))
        return z;
    return __builtin_complex(__builtin_infl(), __builtin_copysignl(0.0L, __imag__ z));
}
