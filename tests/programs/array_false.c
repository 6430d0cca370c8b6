// Two indices may be the same.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a[4] = {0, 0, 0, 0};
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    if (i < 0 || i > 3 || j < 0 || j > 3)
        return 0;
    a[i] = 1;
    a[j] = 2;
    if (a[i] != 1)
        reach_error();
    return 0;
}
