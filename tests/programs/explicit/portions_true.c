// A number is written in portions of 7 bits and read again. A path that reads on behind the last portion leaves the text; no execution takes it.
//# call reach_error: TRUE
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned char text[3];
int main(void) {
    unsigned number = __VERIFIER_nondet_uint();
    if (number >= 1u << 21)
        return 0;
    unsigned count = 0, rest = number;
    while (rest >= 128) {
        text[count++] = rest % 128 + 128;
        rest /= 128;
    }
    text[count] = rest;
    unsigned again = 0, factor = 1, at = 0;
    while (text[at] >= 128) {
        again += (text[at++] - 128) * factor;
        factor *= 128;
    }
    again += text[at] * factor;
    if (again != number)
        reach_error();
    return 0;
}
