// A sum with something positive is not smaller.
//# call reach_error: TRUE
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
    if (y > 0 && x + y < x)
        reach_error();
    return 0;
}
