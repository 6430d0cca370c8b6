// A frame writes to the array of its caller.
//# call reach_error: FALSE
extern void reach_error(void);
static void set(int n, int *above) {
    int here = 0;
    if (n > 0)
        set(n - 1, &here);
    *above = here + 1;
}
int main(void) {
    int x = 0;
    set(4, &x);
    if (x == 5)
        reach_error();
    return 0;
}
