// The bytes of values of more than 64 bits: copies, unions, single bytes, arrays.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *memcpy(void *, const void *, unsigned long);
extern void *malloc(unsigned long);
static long double table[20];
union V { long double d; struct { unsigned long mantissa; unsigned short exponent; } s; unsigned char b[16]; };

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n >= 19)
        return 0;
    for (int i = 0; i <= n; i++)
        table[i + 1] = table[i] + 1.25L;
    if (table[n + 1] != 1.25L * (n + 1) || (n < 18 && table[n + 2] != 0))
        reach_error();
    union V v = { .d = table[1] };
    if (v.s.mantissa != 0xa000000000000000ul || v.s.exponent != 0x3fff || v.b[9] != 0x3f)
        reach_error();
    v.b[9] |= 0x80;
    v.s.exponent++;
    if (v.d != -2.5L)
        reach_error();
    __int128 *block = malloc(4 * sizeof *block), one = 1;
    for (int i = 0; i < 4; i++)
        block[i] = one << (30 * i + n);
    unsigned char bytes[16];
    memcpy(bytes, &block[3], 16);
    int set = 0;
    for (int i = 0; i < 16; i++)
        for (int k = 0; k < 8; k++)
            if (bytes[i] >> k & 1)
                set += 8 * i + k;
    if (set != 90 + n)
        reach_error();
    memcpy(&block[0], &block[2], sizeof one);
    ((unsigned short *)&block[0])[7] = 1;
    if (block[0] != ((one << (60 + n)) | one << 112))
        reach_error();
    return 0;
}
