// The only word with three leading zeros and three ones at its end and between. verdict: FALSE
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    if (x == 0 || x > 4095) return 0;
    if (__builtin_popcount(x) == 3 && __builtin_ctz(x) == 4 && __builtin_clz(x) == 21) reach_error();
    return 0;
}
