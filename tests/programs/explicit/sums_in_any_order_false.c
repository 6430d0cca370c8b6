// As the program that holds, but one of the orders takes only every ninth number, each of them nine times.
extern int input(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);

static int total(const int *a, int from, int step, int n)
{
    long long sum = 0;
    for (int i = 0, at = from; i < n; i++, at = (at + step) % n)
        sum += a[at];
    return sum;
}

int main(void)
{
    int a[45];
    unsigned twice = 0, once = 0;
    for (int i = 0; i < 45; i++) {
        a[i] = input();
        twice += 2u * a[i];
    }
    for (int i = 44; i >= 0; i--)
        once += a[i];
    int x = total(a, 0, 1, 45), y = total(a, 7, 9, 45);
    if (x != y)
        __assert_fail("orders", "sums_in_any_order_false.c", 24, "main");
    if (twice - once != once || twice - 2 * once != 0)
        __assert_fail("factors", "sums_in_any_order_false.c", 26, "main");
    return 0;
}
