// The written element is the read one for one index of four.
//# call reach_error: FALSE
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    int a[4] = {0, 0, 0, 0};
    unsigned i = __VERIFIER_nondet_uint();
    if (i >= 4)
        return 0;
    int *p = &a[2];
    a[i] = 7;
    if (*p == 7)
        reach_error();
    return 0;
}
