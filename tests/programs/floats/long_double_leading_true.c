// The leading bit of a number of x87's format is stored: it is set for numbers with full precision.
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
    if (u.x >= 1 && u.x < 2 && !(u.p.mantissa >> 63))
        reach_error();
    return 0;
}
