// The number of leading zeros of 0 is undefined: nobody can say what happens. verdict: UNKNOWN
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    int leading = __builtin_clz(x);
    if (leading > 31) reach_error();
    return 0;
}
