// Eleven bits more than a double: not every number comes back.
//# call reach_error: FALSE
extern void reach_error(void);
extern long double __VERIFIER_nondet_long_double(void);

int main(void) {
    long double x = __VERIFIER_nondet_long_double();
    if (x > 1 && x < 2 && (double)x != x)
        reach_error();
    return 0;
}
