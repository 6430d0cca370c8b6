// A counter of x87's format beside an integer.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    long double x = 0;
    for (int i = 0; i < n && i < 5; i++)
        x += 0.5L;
    if (x > 2.5L)
        reach_error();
    return 0;
}
