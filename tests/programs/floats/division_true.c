// A quotient by something above 1 is smaller.
//# call reach_error: TRUE
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
    if (x >= 0 && x <= 1000 && y >= 1 && x / y > x)
        reach_error();
    return 0;
}
