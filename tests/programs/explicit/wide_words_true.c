// The words of an integer of 128 bits are inputs: what moves whole words is exact.
//# call reach_error: TRUE
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
typedef unsigned __int128 u128;
struct P { char c; u128 v; };
union U { u128 v; unsigned long w[2]; };

int main(void) {
    unsigned long high = __VERIFIER_nondet_ulong(), low = __VERIFIER_nondet_ulong();
    u128 x = (u128)high << 64 | low;
    if ((unsigned long)x != low || (unsigned long)(x >> 64) != high)
        reach_error();
    if (high == 0 && x != low)
        reach_error();
    if (high != 0 && x == low)
        reach_error();
    struct P p[3];
    p[1].v = x;
    struct P q = p[1];
    if (q.v != x || ~~q.v != x || (q.v & ~(u128)0) != x || (x ^ 0) != x)
        reach_error();
    union U u = { .v = x };
    if (u.w[0] != low || u.w[1] != high)
        reach_error();
    u.w[1] = 0;
    if (u.v > ~0ul)
        reach_error();
    long s = __VERIFIER_nondet_long();
    __int128 t = s;
    if ((long)t != s || (s >= 0 && t < 0) || (s < -5 && t > -5) || (s < 0 && (long)(t >> 64) != -1))
        reach_error();
    unsigned char b = __VERIFIER_nondet_uchar();
    if ((unsigned char)((u128)b + 1 - 1) != b || (u128)b > 255 || (unsigned long)((__int128)b - 1) + 1 != b)
        reach_error();
    return 0;
}
