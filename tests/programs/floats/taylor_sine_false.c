// A Taylor sum with too few terms leaves the unit interval.
//# call reach_error: FALSE
extern void reach_error(void);

int main(void) {
    double x = 8, term = 8, sum = 0;
    for (int i = 1; i < 6; i++) {
        sum += term;
        term = -term * x * x / (2 * i * (2 * i + 1));
    }
    if (sum > 1 || sum < -1)
        reach_error();
    return 0;
}
