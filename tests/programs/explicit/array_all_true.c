// What holds of all elements of an array is said once, and not state by state.
//# call reach_error: TRUE
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
unsigned a[3000], b[3000];
int main(void) {
    unsigned d = __VERIFIER_nondet_uint();
    int i;
    for (i = 0; i < 3000; i++)
        a[i] = 7;
    for (i = 0; i < 3000; i++)
        b[2999 - i] = a[i] + d;
    for (i = 0; i < 3000; i++)
        if (b[i] != 7 + d || a[i] == 8)
            reach_error();
    return 0;
}
