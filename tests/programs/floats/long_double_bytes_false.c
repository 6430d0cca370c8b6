// A number of x87's format that is made of bytes.
//# call reach_error: FALSE
extern void reach_error(void);
extern unsigned short __VERIFIER_nondet_ushort(void);

union parts {
    long double x;
    struct {
        unsigned long mantissa;
        unsigned short top;
    } p;
};

int main(void) {
    union parts u;
    u.p.mantissa = 0xc000000000000000;
    u.p.top = __VERIFIER_nondet_ushort();
    if ((u.p.top & 0x7fff) != 0 && u.x == -3)
        reach_error();
    return 0;
}
