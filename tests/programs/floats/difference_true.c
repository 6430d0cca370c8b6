// Different numbers have a difference other than zero, down to the subnormal ones.
//# call reach_error: TRUE
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
    if (x < y && y - x <= 0)
        reach_error();
    return 0;
}
