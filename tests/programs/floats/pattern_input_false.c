// A pattern that is given makes the number.
//# call reach_error: FALSE
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    union {
        float f;
        unsigned u;
    } v;
    v.u = __VERIFIER_nondet_uint();
    if (v.f == 1.5f)
        reach_error();
    return 0;
}
