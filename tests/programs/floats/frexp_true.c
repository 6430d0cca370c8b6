// Fraction and exponent, and back again.
//# call reach_error: TRUE
extern void reach_error(void);
double frexp(double, int *), ldexp(double, int), modf(double, double *), scalbn(double, int), logb(double);
int ilogb(double);

int main(void) {
    int e;
    double part, whole;
    double m = frexp(-48.0, &e);
    if (m != -0.75 || e != 6 || ldexp(m, e) != -48 || frexp(0x1p-1074, &e) != 0.5 || e != -1073)
        reach_error();
    part = modf(-3.25, &whole);
    if (part != -0.25 || whole != -3 || scalbn(1.5, -2) != 0.375 || ilogb(0.3) != -2 || logb(1024.5) != 10)
        reach_error();
    return 0;
}
