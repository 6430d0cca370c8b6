// It is not what one addition more makes, but for one factor.
//# call reach_error: FALSE
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
unsigned times(unsigned a, unsigned b) {
    if (b == 0)
        return 0;
    return times(a, b - 1) + a;
}
int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    if (times(x, y) != x * y + x)
        reach_error();
    return 0;
}
