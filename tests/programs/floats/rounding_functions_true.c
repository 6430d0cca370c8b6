// floor, ceil, trunc, round, rint and their like on halves.
//# call reach_error: TRUE
extern void reach_error(void);
double floor(double), ceil(double), trunc(double), round(double), rint(double), nearbyint(double);
long lround(double), lrint(double);

int main(void) {
    if (floor(-0.5) != -1 || ceil(-0.5) != 0 || 1 / ceil(-0.5) > 0 || trunc(-2.7) != -2 || round(2.5) != 3 || round(-2.5) != -3)
        reach_error();
    if (rint(2.5) != 2 || rint(3.5) != 4 || nearbyint(-0.5) != 0 || lround(0.49999999999999994) != 0 || lrint(1.5) != 2)
        reach_error();
    if (floor(2251799813685249.5) != 2251799813685249.0 || ceil(1e300) != 1e300)
        reach_error();
    return 0;
}
