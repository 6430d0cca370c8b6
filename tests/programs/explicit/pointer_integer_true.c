// Pointers through integers, differences, comparisons within an object.
//# call reach_error: TRUE
extern void reach_error(void);
int main(void) {
    int a[10];
    for (int i = 0; i < 10; i++)
        a[i] = i;
    unsigned long n = (unsigned long)&a[3];
    int *p = (int *)(n + 8);
    if (*p != 5 || p - a != 5 || p < a || !(p > &a[4]) || p == 0 || (void *)p == (void *)main)
        reach_error();
    return 0;
}
