// A loop with a counter of type double ends beyond its bound.
//# call reach_error: TRUE
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    double limit = __VERIFIER_nondet_double(), t = 0;
    if (!(limit > 0 && limit < 4))
        return 0;
    while (t < limit)
        t += 1.0;
    if (t < limit || t > 5)
        reach_error();
    return 0;
}
