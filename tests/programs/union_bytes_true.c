// Bits and bytes together: a power of two from 256 to 2^23 has no lowest and no highest byte.
//# call reach_error: TRUE
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
union word { unsigned number; signed char bytes[4]; };
static union word through(unsigned q) {
    union word word;
    word.number = q;
    word.bytes[0] = 0;
    word.bytes[3] = 0;
    return word;
}
int main(void) {
    unsigned q = __VERIFIER_nondet_uint();
    if ((q & (q - 1)) != 0 || q < 256 || q > 1u << 23)
        return 0;
    if (through(q).number != q)
        reach_error();
    return 0;
}
