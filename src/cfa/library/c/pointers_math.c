/* Functions of math.h whose calls are operations of the verifier, for those who call them through a pointer. */

double fabs(double x) {
    return __builtin_fabs(x);
}

double sqrt(double x) {
    return __builtin_sqrt(x);
}

double floor(double x) {
    return __builtin_floor(x);
}

double ceil(double x) {
    return __builtin_ceil(x);
}

double trunc(double x) {
    return __builtin_trunc(x);
}

double round(double x) {
    return __builtin_round(x);
}

double roundeven(double x) {
    return __builtin_roundeven(x);
}

double rint(double x) {
    return __builtin_rint(x);
}

double nearbyint(double x) {
    return __builtin_nearbyint(x);
}

double copysign(double x, double y) {
    return __builtin_copysign(x, y);
}

double fmin(double x, double y) {
    return __builtin_fmin(x, y);
}

double fmax(double x, double y) {
    return __builtin_fmax(x, y);
}

double fmod(double x, double y) {
    return __builtin_fmod(x, y);
}

double remainder(double x, double y) {
    return __builtin_remainder(x, y);
}

double nextafter(double x, double y) {
    return __builtin_nextafter(x, y);
}

double fma(double x, double y, double z) {
    return __builtin_fma(x, y, z);
}

double ldexp(double x, int n) {
    return __builtin_ldexp(x, n);
}

double scalbn(double x, int n) {
    return __builtin_scalbn(x, n);
}

double scalbln(double x, long n) {
    return __builtin_scalbln(x, n);
}

int ilogb(double x) {
    return __builtin_ilogb(x);
}

long lrint(double x) {
    return __builtin_lrint(x);
}

long lround(double x) {
    return __builtin_lround(x);
}

long long llrint(double x) {
    return __builtin_llrint(x);
}

long long llround(double x) {
    return __builtin_llround(x);
}

float fabsf(float x) {
    return __builtin_fabsf(x);
}

float sqrtf(float x) {
    return __builtin_sqrtf(x);
}

float floorf(float x) {
    return __builtin_floorf(x);
}

float ceilf(float x) {
    return __builtin_ceilf(x);
}

float truncf(float x) {
    return __builtin_truncf(x);
}

float roundf(float x) {
    return __builtin_roundf(x);
}

float roundevenf(float x) {
    return __builtin_roundevenf(x);
}

float rintf(float x) {
    return __builtin_rintf(x);
}

float nearbyintf(float x) {
    return __builtin_nearbyintf(x);
}

float copysignf(float x, float y) {
    return __builtin_copysignf(x, y);
}

float fminf(float x, float y) {
    return __builtin_fminf(x, y);
}

float fmaxf(float x, float y) {
    return __builtin_fmaxf(x, y);
}

float fmodf(float x, float y) {
    return __builtin_fmodf(x, y);
}

float remainderf(float x, float y) {
    return __builtin_remainderf(x, y);
}

float nextafterf(float x, float y) {
    return __builtin_nextafterf(x, y);
}

float fmaf(float x, float y, float z) {
    return __builtin_fmaf(x, y, z);
}

float ldexpf(float x, int n) {
    return __builtin_ldexpf(x, n);
}

float scalbnf(float x, int n) {
    return __builtin_scalbnf(x, n);
}

float scalblnf(float x, long n) {
    return __builtin_scalblnf(x, n);
}

int ilogbf(float x) {
    return __builtin_ilogbf(x);
}

long lrintf(float x) {
    return __builtin_lrintf(x);
}

long lroundf(float x) {
    return __builtin_lroundf(x);
}

long long llrintf(float x) {
    return __builtin_llrintf(x);
}

long long llroundf(float x) {
    return __builtin_llroundf(x);
}

long double fabsl(long double x) {
    return __builtin_fabsl(x);
}

long double sqrtl(long double x) {
    return __builtin_sqrtl(x);
}

long double floorl(long double x) {
    return __builtin_floorl(x);
}

long double ceill(long double x) {
    return __builtin_ceill(x);
}

long double truncl(long double x) {
    return __builtin_truncl(x);
}

long double roundl(long double x) {
    return __builtin_roundl(x);
}

long double roundevenl(long double x) {
    return __builtin_roundevenl(x);
}

long double rintl(long double x) {
    return __builtin_rintl(x);
}

long double nearbyintl(long double x) {
    return __builtin_nearbyintl(x);
}

long double copysignl(long double x, long double y) {
    return __builtin_copysignl(x, y);
}

long double fminl(long double x, long double y) {
    return __builtin_fminl(x, y);
}

long double fmaxl(long double x, long double y) {
    return __builtin_fmaxl(x, y);
}

long double fmodl(long double x, long double y) {
    return __builtin_fmodl(x, y);
}

long double remainderl(long double x, long double y) {
    return __builtin_remainderl(x, y);
}

long double nextafterl(long double x, long double y) {
    return __builtin_nextafterl(x, y);
}

long double fmal(long double x, long double y, long double z) {
    return __builtin_fmal(x, y, z);
}

long double ldexpl(long double x, int n) {
    return __builtin_ldexpl(x, n);
}

long double scalbnl(long double x, int n) {
    return __builtin_scalbnl(x, n);
}

long double scalblnl(long double x, long n) {
    return __builtin_scalblnl(x, n);
}

int ilogbl(long double x) {
    return __builtin_ilogbl(x);
}

long lrintl(long double x) {
    return __builtin_lrintl(x);
}

long lroundl(long double x) {
    return __builtin_lroundl(x);
}

long long llrintl(long double x) {
    return __builtin_llrintl(x);
}

long long llroundl(long double x) {
    return __builtin_llroundl(x);
}
