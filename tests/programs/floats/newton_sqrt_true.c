// Newton's iteration for the square root of 2 stays at its limit.
//# call reach_error: TRUE
extern void reach_error(void);
double sqrt(double);

int main(void) {
    double x = 1;
    for (int i = 0; i < 6; i++)
        x = (x + 2 / x) / 2;
    double again = (x + 2 / x) / 2;
    if (x != again || x * x - 2 > 1e-15 || 2 - x * x > 1e-15 || sqrt(2.0) - x > 3e-16 || x > sqrt(2.0))
        reach_error();
    return 0;
}
