// How many elements are odd does not depend on their order, which is said in linear equations.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int odd(int *x) {
    int n = 0;
    for (int i = 0; i < 9; i++) {
        if (x[i] % 2 == 0)
            n--;
        else
            n++;
    }
    return n;
}
int main(void) {
    int x[9];
    for (int i = 0; i < 9; i++)
        x[i] = __VERIFIER_nondet_int();
    int first = odd(x), keep = x[3];
    x[3] = x[8];
    x[8] = keep;
    if (first != odd(x))
        reach_error();
    return 0;
}
