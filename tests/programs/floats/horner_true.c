// A polynomial by Horner's rule and term by term, with coefficients that make both exact.
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
    double c[5] = {3, -2, 0.5, 4, -1}, x = 1.5, horner = 0, terms = 0, power = 1;
    for (int i = 4; i >= 0; i--)
        horner = horner * x + c[i];
    for (int i = 0; i < 5; i++, power *= x)
        terms += c[i] * power;
    if (horner != terms || horner != 9.5625)
        reach_error();
    return 0;
}
