//# holds: is_prime(18446744073709551557ULL) && !is_prime(18446744073709551556ULL) && !is_prime(3825123056546413051ULL) && big == 6
//# violated: is_prime(3825123056546413051ULL)
// The test of Miller and Rabin with products of 128 bits, and divisions of 128-bit numbers.
#include <stdint.h>
extern void reach_error(void);
typedef unsigned __int128 u128;
static uint64_t mulmod(uint64_t a, uint64_t b, uint64_t m) { return (uint64_t) ((u128) a * b % m); }
static uint64_t powmod(uint64_t a, uint64_t e, uint64_t m)
{
    uint64_t r = 1;
    for (; e; e >>= 1) { if (e & 1) r = mulmod(r, a, m); a = mulmod(a, a, m); }
    return r;
}
static int is_prime(uint64_t n)
{
    static const uint64_t witnesses[] = { 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37 };
    if (n < 2) return 0;
    for (int i = 0; i < 12; i++) { if (n == witnesses[i]) return 1; if (n % witnesses[i] == 0) return 0; }
    uint64_t d = n - 1;
    int s = __builtin_ctzll(d);
    d >>= s;
    for (int i = 0; i < 12; i++) {
        uint64_t x = powmod(witnesses[i], d, n);
        if (x == 1 || x == n - 1) continue;
        int r = 1;
        for (; r < s; r++) { x = mulmod(x, x, n); if (x == n - 1) break; }
        if (r >= s) return 0;
    }
    return 1;
}
int main(void)
{
    u128 f = 1;
    for (unsigned i = 1; i <= 33; i++) f *= i;
    __int128 negative = -(__int128) f;
    int big = 0;
    big += (uint64_t) (f >> 64) == 0xab00000 / 0xab00000 * (uint64_t) (f >> 64) && (f >> 64) != 0;
    big += f / 33 / 32 / 31 != 0 && f % 37 == (u128) (f - 37 * (f / 37));
    big += negative < 0 && negative / -33 * 33 == (__int128) f;
    big += (negative >> 100) == -1 - (__int128) (f - 1 >> 100);
    big += (double) (u128) 1 / 3 > 0.333 && (double) ((u128) 1 << 100) == 0x1p100;
    u128 kept[2] = { f, ~f };
    big += (kept[0] ^ kept[1]) == ~(u128) 0 && kept[0] != kept[1];
    if (!(CLAIM)) reach_error();
    return 0;
}
