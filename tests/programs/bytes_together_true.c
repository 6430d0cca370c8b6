// A word is taken apart into bytes and put together again, with an or and with an exclusive or; the top byte makes it negative.
//# data-model ILP32
//# call reach_error: TRUE
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned int word = __VERIFIER_nondet_uint();
    unsigned char b0 = word, b1 = word >> 8, b2 = word >> 16, b3 = word >> 24;
    int again = b0 | (b1 << 8) | (b2 << 16) | (b3 << 24);
    if (again != (int)word)
        reach_error();
    unsigned int other = (b3 << 24) ^ (b2 << 16) ^ (b1 << 8) ^ b0;
    if (other != word || ((b1 << 8) & b0) != 0)
        reach_error();
    return 0;
}
