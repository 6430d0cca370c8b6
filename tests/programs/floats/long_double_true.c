// The x87 format has 64 bits of precision.
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
    long double x = 1.0L, half = 1.0L;
    int n = 0;
    while (x + half / 2 != x) {
        half /= 2;
        n++;
    }
    if (n != 63)
        reach_error();
    long double third = 1.0L / 3;
    if (third == 1.0 / 3 || (double)third != 1.0 / 3 || third * 3 != 1)
        reach_error();
    return 0;
}
