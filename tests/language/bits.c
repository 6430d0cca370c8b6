// Builtins on bits: constants, variables, and an input. verdict: TRUE
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
static void check(int holds) { if (!holds) reach_error(); }
enum { EIGHT = __builtin_popcount(255), TOP = __builtin_clz(1) };
int main(void) {
    volatile unsigned word = 0x00f00100u;
    volatile unsigned long long wide = 0x0000f00000010000ull;
    volatile int minus = -5, zero = 0;
    volatile long long seventy = 77;
    check(EIGHT == 8 && TOP == 31);
    check(__builtin_clz(word) == 8 && __builtin_ctz(word) == 8 && __builtin_ffs(word) == 9);
    check(__builtin_popcount(word) == 5 && __builtin_parity(word) == 1 && __builtin_ffs(zero) == 0);
    check(__builtin_clzll(wide) == 16 && __builtin_ctzll(wide) == 16 && __builtin_ffsll(wide) == 17);
    check(__builtin_popcountll(wide) == 5 && __builtin_parityll(wide) == 1);
    check(__builtin_clrsb(minus) == 28 && __builtin_clrsbll(seventy) == 56 && __builtin_clrsb(zero) == 31);
    check(__builtin_bswap16(0x1234) == 0x3412 && __builtin_bswap32(word) == 0x0001f000u);
    check(__builtin_bswap64(wide) == 0x0000010000f00000ull);
    unsigned x = __VERIFIER_nondet_uint();
    if (x != 0) {
        int leading = __builtin_clz(x);
        check(leading >= 0 && leading < 32);
        if (x >= 16 && x < 32) check(leading == 27);
        check(__builtin_popcount(x) >= 1 && __builtin_popcount(x) <= 32);
        if (x % 2) check(__builtin_ctz(x) == 0 && __builtin_ffs(x) == 1);
    }
    return 0;
}
