// The functions of complex.h that take a number apart, declared and as builtins. verdict: TRUE
extern void reach_error(void);
double creal(double _Complex), cimag(double _Complex);
float crealf(float _Complex), cimagf(float _Complex);
double _Complex conj(double _Complex), cproj(double _Complex);
float _Complex conjf(float _Complex);
static void check(int holds) { if (!holds) reach_error(); }
int main(void) {
    double _Complex z = 3.0 - 4.0i, c = conj(z);
    check(creal(z) == 3 && cimag(z) == -4 && creal(c) == 3 && cimag(c) == 4);
    float _Complex f = 1.5f + 2.0fi;
    check(crealf(conjf(f)) == 1.5f && cimagf(conjf(f)) == -2.0f);
    check(__builtin_cimagf(__builtin_conjf(f)) == -2.0f && __builtin_creal(z) == 3);
    long double _Complex l = 2.0L + 1.0Li;
    check(__builtin_creall(__builtin_conjl(l)) == 2.0L && __builtin_cimagl(__builtin_conjl(l)) == -1.0L);
    check(cproj(z) == z);
    double _Complex far = cproj(__builtin_complex(-__builtin_inf(), -0.0));
    check(creal(far) == __builtin_inf() && __builtin_signbit(cimag(far)));
    return 0;
}
