//# holds: !strcmp(text, "0 -1 2147483647 -2147483648 9007199254740991 0.5 -0.25 100000.125 3.141592654 -0.000000001 1.25e22 4.940656458e-324 1.797693135e308 null ")
//# violated: strlen(text) != 137
// A printer of numbers of a JSON library: integers by %d and %lld, others with up to nine decimals, great and small ones with an exponent.
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
extern void reach_error(void);
static int decimals(char *out, size_t size, double fraction)
{
    long digits = lround(fraction * 1e9);
    int n = snprintf(out, size, "%09ld", digits);
    while (n > 1 && out[n - 1] == '0') out[--n] = 0;
    return n;
}
static void print_number(char *out, size_t size, double d)
{
    double whole;
    if (isnan(d) || isinf(d)) { snprintf(out, size, "null"); return; }
    if (d >= INT_MIN && d <= INT_MAX && d == (int) d) { snprintf(out, size, "%d", (int) d); return; }
    if (fabs(d) < 1e16 && d == floor(d)) { snprintf(out, size, "%lld", (long long) d); return; }
    if (signbit(d)) { *out++ = '-'; size--; d = -d; }
    int exponent = 0;
    if (d >= 1e16) while (d >= 10) d /= 10, exponent++;
    else if (d < 1e-9) while (d < 1) d *= 10, exponent--;
    double fraction = modf(d, &whole);
    if (fraction * 1e9 >= 999999999.5) whole += 1, fraction = 0;
    int n = snprintf(out, size, "%lld", (long long) whole);
    if (lround(fraction * 1e9) != 0) { out[n++] = '.'; n += decimals(out + n, size - (size_t) n, fraction); }
    if (exponent) snprintf(out + n, size - (size_t) n, "e%d", exponent);
}
int main(void)
{
    static const double numbers[] = { 0, -1, INT_MAX, INT_MIN, 9007199254740991.0, 0.5, -0.25, 100000.125, 3.14159265358979312, -1e-9, 1.25e22, 5e-324, DBL_MAX, NAN };
    char text[512] = "";
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char one[40];
        print_number(one, sizeof one, numbers[i]);
        strcat(text, one);
        strcat(text, " ");
    }
    if (!(CLAIM)) reach_error();
    return 0;
}
