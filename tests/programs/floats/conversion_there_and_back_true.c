//# call reach_error: TRUE
// Doubles hold all integers of 32 bits, and floats those of 24.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    int i = __VERIFIER_nondet_int();
    double wide = i;
    if ((int)wide != i)
        reach_error();
    unsigned u = __VERIFIER_nondet_uint();
    if (u > 1u << 24)
        return 0;
    float narrow = u;
    if ((unsigned)narrow != u)
        reach_error();
    return 0;
}
