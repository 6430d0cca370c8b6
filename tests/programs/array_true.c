// Elements keep what was written to them.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a[4];
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 2)
        return 0;
    a[i] = 7;
    a[i + 1] = 8;
    if (a[i] != 7)
        reach_error();
    return 0;
}
