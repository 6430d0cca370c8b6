// A sum of finite numbers may be infinite.
//# call reach_error: FALSE
extern void reach_error(void);
extern long double __VERIFIER_nondet_long_double(void);

int main(void) {
    long double x = __VERIFIER_nondet_long_double();
    if (x < 1.18e4932L && x > 0 && x + x == __builtin_infl())
        reach_error();
    return 0;
}
