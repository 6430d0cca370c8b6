// The pattern of a finite number has no full exponent.
//# call reach_error: TRUE
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
    union {
        float f;
        unsigned u;
    } v;
    v.f = __VERIFIER_nondet_float();
    if (v.f > -1e10f && v.f < 1e10f && ((v.u >> 23) & 0xff) == 0xff)
        reach_error();
    return 0;
}
