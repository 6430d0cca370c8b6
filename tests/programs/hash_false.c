//# call reach_error: FALSE
// A hash of four characters has these last bits.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
    unsigned hash = 5381;
    for (int i = 0; i < 4; i++)
        hash = hash * 33 ^ __VERIFIER_nondet_uchar();
    if ((hash & 0xffff) == 0x1234)
        reach_error();
    return 0;
}
