// Classes by builtins, in three formats.
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
    float f = 1e-40f;
    double d = 1e-310, nan = __builtin_nan(""), inf = __builtin_inf();
    long double l = 1.0L;
    if (__builtin_isnormal(f) || __builtin_isnormal(d) || !__builtin_isnormal(l) || !__builtin_isfinite(f))
        reach_error();
    if (!__builtin_isnan(nan) || __builtin_isnan(inf) || !__builtin_isinf(-inf) || __builtin_isinf_sign(-inf) != -1)
        reach_error();
    if (!__builtin_signbit(-0.0) || __builtin_signbit(0.0f) || __builtin_fpclassify(1, 2, 3, 4, 5, d) != 4 || __builtin_fpclassify(1, 2, 3, 4, 5, -0.0) != 5)
        reach_error();
    if (__builtin_isunordered(1.0, 2.0) || !__builtin_isunordered(nan, 1.0f) || __builtin_isless(nan, 1.0) || !__builtin_islessgreater(1, 2.5))
        reach_error();
    return 0;
}
