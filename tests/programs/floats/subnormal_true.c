// Halving ends at zero, after 1074 halves of 1, and not before.
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
    double x = 1;
    int n = 0;
    while (x / 2 != 0) {
        x /= 2;
        n++;
    }
    if (n != 1074 || x * 2 / 2 != x || x / 2 * 2 == x)
        reach_error();
    return 0;
}
