// A product by repeated addition is the product of the machine, whether it wraps around or not.
//# call reach_error: TRUE
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
unsigned times(unsigned a, unsigned b) {
    if (b == 0)
        return 0;
    return times(a, b - 1) + a;
}
int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    if (times(x, y) != x * y)
        reach_error();
    return 0;
}
