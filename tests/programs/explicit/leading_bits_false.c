// One of the last bits of the first byte of an encoded number is left out.
//# call reach_error: FALSE
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned char text[4];
int main(void) {
    unsigned number = __VERIFIER_nondet_uint(), first = 0x3f, at = 4, rest = number;
    if (number < 0x80 || number >= 0x200000)
        return 0;
    do {
        text[--at] = 0x80 | (rest & 0x3f);
        rest >>= 6;
        first >>= 1;
    } while (rest > first);
    text[--at] = (~first << 1) | rest;
    unsigned lead = text[at], again = 0, count = 0;
    for (; lead & 0x40; lead <<= 1)
        again = (again << 6) | (text[at + ++count] & 0x3f);
    again |= (lead & 0x5f) << (count * 5);
    if (again != number)
        reach_error();
    return 0;
}
