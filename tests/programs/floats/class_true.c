// Classes exclude each other.
//# call reach_error: TRUE
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
    float x = __VERIFIER_nondet_float();
    int classes = (__builtin_isnan(x) != 0) + (__builtin_isinf(x) != 0) + (__builtin_isfinite(x) != 0);
    if (classes != 1 || (__builtin_isnormal(x) && !__builtin_isfinite(x)))
        reach_error();
    return 0;
}
