// A square is not negative, unless there is none.
//# call reach_error: TRUE
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x * x < 0)
        reach_error();
    return 0;
}
