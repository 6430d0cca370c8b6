//# call reach_error: TRUE
// Words of several sizes in the bytes of one object: what was written is read, whole and in parts.
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern unsigned int __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned char memory[64];
    unsigned long word = __VERIFIER_nondet_ulong();
    unsigned int half = __VERIFIER_nondet_uint();
    *(unsigned long *)(memory + 16) = word;
    *(unsigned int *)(memory + 8) = 0x00701313;
    *(unsigned int *)(memory + 12) = half;
    *(unsigned long *)(memory + 24) = 0;
    if (*(unsigned long *)(memory + 16) != word)
        reach_error();
    if (memory[16] != (unsigned char)word)
        reach_error();
    if (memory[8] != 0x13 || memory[9] != 0x13 || memory[10] != 0x70 || memory[11] != 0)
        reach_error();
    if (*(unsigned long *)(memory + 8) >> 32 != half)
        reach_error();
    if (*(unsigned int *)(memory + 26) != 0)
        reach_error();
    return 0;
}
