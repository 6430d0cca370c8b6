// The two ways to evaluate differ by rounding.
//# call reach_error: FALSE
extern void reach_error(void);

int main(void) {
    float c[4] = {0.1f, 0.2f, 0.3f, 0.7f}, x = 3.7f, horner = 0, terms = 0, power = 1;
    for (int i = 3; i >= 0; i--)
        horner = horner * x + c[i];
    for (int i = 0; i < 4; i++, power *= x)
        terms += c[i] * power;
    if (horner != terms || x > 3)
        reach_error();
    return 0;
}
