// That e is at most 6 holds, and does not follow from itself: what else holds has to do without.
//# call reach_error: TRUE
extern void reach_error(void);
unsigned a[1000];
int main(void) {
    int i, k, e = 0;
    for (i = 0; i < 1000; i++) {
        a[i] = 7;
        for (k = 0; k < 2; k++)
            ;
        e = e ^ 6;
    }
    for (i = 0; i < 1000; i++)
        if (a[i] != 7)
            reach_error();
    return 0;
}
