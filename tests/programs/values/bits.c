// Arithmetic that wraps around, shifts and masks: the machine's integers, and bit-fields that keep the low bits.
//# label A: TRUE
//# label B: FALSE
//# value A: TRUE
//# value B: FALSE
extern int __VERIFIER_nondet_int(void);
struct flags { unsigned low : 3; int sign : 2; };
int main(void) {
    unsigned char small = 250;
    unsigned mask = 0x5a;
    struct flags flags;
    flags.low = 13;
    flags.sign = 3;
    small = small + 10;
    mask = (mask << 28 | mask >> 4) ^ 0xffu;
    while (__VERIFIER_nondet_int()) {
        if (small != 4 || mask != 0xa00000fau || flags.low != 5) { A: return 1; }
        if (flags.sign == -1) { B: return 2; }
    }
    return 0;
}
