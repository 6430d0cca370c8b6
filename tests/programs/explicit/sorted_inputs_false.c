// 60,000 numbers that make a heap as they come in: falling ones do, random ones hardly.
extern int input(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
int a[60000];
int main(void)
{
    int steps = 0;
    for (int i = 0; i < 60000; i++) {
        a[i] = input();
        if (i > 0 && a[(i - 1) / 2] < a[i])
            steps++;
    }
    if (steps == 0 && a[0] > a[59999])
        __assert_fail("sorted", "sorted_inputs_false.c", 13, "main");
    return 0;
}
