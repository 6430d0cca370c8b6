// Square roots in x87's format and in binary128, as many as an input says.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static long double root(long double x) {
    long double r = x;
    for (int i = 0; i < 20; i++)
        r = (r + x / r) / 2;
    return r;
}

int main(void) {
    long double worst = 0;
    __float128 thirds = 0;
    int n = 0;
    while (__VERIFIER_nondet_int() && n < 30) {
        n++;
        long double r = root(n), e = r * r - n;
        worst = e < 0 ? (-e > worst ? -e : worst) : (e > worst ? e : worst);
        thirds += (__float128)1 / 3;
    }
    if (worst > 1e-17L)
        reach_error();
    if (n == 3 && thirds != 1)
        reach_error();
    if (n == 9 && (root(n) != 3 || (int)thirds != 3))
        reach_error();
    return 0;
}
