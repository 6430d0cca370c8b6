// Fermat's test by products of 128 bits: a prime number passes it for each base.
//# call reach_error: TRUE
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
typedef unsigned long u64;

static u64 times(u64 a, u64 b, u64 m) { return (unsigned __int128)a * b % m; }

static u64 power(u64 b, u64 e, u64 m) {
    u64 r = 1;
    for (; e; e >>= 1) {
        if (e & 1)
            r = times(r, b, m);
        b = times(b, b, m);
    }
    return r;
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    u64 m = 0xffffffffffffffc5ul;
    if (n > 20)
        n = 20;
    for (unsigned k = 2; k < n; k++)
        if (power(k, m - 1, m) != 1)
            reach_error();
    return 0;
}
