// Remainders are exact and have the sign of the dividend, or are nearest to zero.
//# call reach_error: TRUE
extern void reach_error(void);
double fmod(double, double), remainder(double, double);

int main(void) {
    if (fmod(5.5, 2) != 1.5 || fmod(-5.5, 2) != -1.5 || remainder(5.5, 2) != -0.5 || remainder(5, 2) != 1 || remainder(3, 2) != -1)
        reach_error();
    if (fmod(1e300, 3) != 0 || fmod(0.3, 0.1) == 0 || fmod(1, 0) == fmod(1, 0))
        reach_error();
    return 0;
}
