// A divisor that is computed of a mask has few values, though the sum that defines it is wide: the bits of the quotient are known.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    unsigned char small = x <= 85;
    int quotient = x / (((128 + small) & 7) + 1);
    // Of bits that are set in `x` and not in its half, no two are neighbours; and `x` itself has all of its bits.
    if (((quotient & x) ^ x) == 12) reach_error();
    return 0;
}
