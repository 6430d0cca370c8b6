// Inputs of x87's format in an array.
//# call reach_error: TRUE
extern void reach_error(void);
extern long double __VERIFIER_nondet_long_double(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    long double a[3];
    for (int i = 0; i < 3; i++)
        a[i] = __VERIFIER_nondet_long_double();
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k > 2)
        return 0;
    long double *p = &a[k];
    if (*p > 2) {
        *p = 1;
        if (a[k] != 1 || a[k] + 1 > 2)
            reach_error();
    }
    return 0;
}
