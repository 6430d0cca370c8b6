//# holds: good == 7
//# violated: good != 7
// Extended precision: a Horner scheme, compensated sums, conversions, comparisons, and values in memory.
#include <math.h>
#include <string.h>
extern void reach_error(void);
static long double horner(const long double *c, int n, long double x) { long double r = 0; while (n--) r = r * x + c[n]; return r; }
static long double parts[4] = { 1.0L, 0.5L, 0.25L, 0.125L };
struct pair { long double value; int count; };
static struct pair twice(struct pair p) { p.value *= 2; p.count++; return p; }
int main(void)
{
    int good = 0;
    good += horner(parts, 4, 2.0L) == 4.0L;
    long double sum = 0, carry = 0;
    for (int i = 1; i <= 1000; i++) {
        long double y = 1.0L / i - carry, t = sum + y;
        carry = (t - sum) - y;
        sum = t;
    }
    good += sum > 7.485470860550344L && sum < 7.485470860550346L;
    good += (long double) 0.1 != 0.1L && (double) 0.1L == 0.1;
    long double big = 18446744073709551615.0L;
    good += (unsigned long long) big == 18446744073709551615ULL && big + 1.0L != big;
    struct pair p = { 1.5L, 0 }, q;
    p = twice(twice(p));
    memcpy(&q, &p, sizeof q);
    good += q.value == 6 && q.count == 2;
    good += sqrtl(2.0L) * sqrtl(2.0L) - 2.0L < 1e-18L && floorl(-2.5L) == -3.0L;
    good += -big < 0 && (long long) -2.75L == -2 && !(big < 1e19L);
    if (!(CLAIM)) reach_error();
    return 0;
}
