// The bytes of x87's format: sign and exponent lie in the last two of ten.
//# call reach_error: TRUE
extern void reach_error(void);
extern long double __VERIFIER_nondet_long_double(void);

union parts {
    long double x;
    struct {
        unsigned long mantissa;
        unsigned short top;
    } p;
};

int main(void) {
    union parts u;
    u.x = __VERIFIER_nondet_long_double();
    if (u.x >= 1 && u.x < 2 && u.p.top != 0x3fff)
        reach_error();
    return 0;
}
