// Bisection encloses a root until neighbours.
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
    double lo = 0, hi = 2;
    int n = 0;
    while (n < 100) {
        double middle = (lo + hi) / 2;
        if (middle == lo || middle == hi)
            break;
        if (middle * middle * middle < 5)
            lo = middle;
        else
            hi = middle;
        n++;
    }
    if (n != 53 || lo * lo * lo >= 5 || hi * hi * hi < 5)
        reach_error();
    return 0;
}
