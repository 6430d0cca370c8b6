// A number that is read is any number.
//# call reach_error: FALSE
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
int scanf(const char *, ...);

int main(void) {
    double x;
    if (scanf("%lf", &x) == 1 && x > 1.5 && x < 1.75 && __VERIFIER_nondet_double() > x)
        reach_error();
    return 0;
}
