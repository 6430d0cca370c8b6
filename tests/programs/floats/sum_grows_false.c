// A sum with something positive need not be greater.
//# call reach_error: FALSE
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
    if (x > 0 && y > 0 && x + y == x)
        reach_error();
    return 0;
}
