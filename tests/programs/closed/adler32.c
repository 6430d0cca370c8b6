//# holds: adler32(1, (const unsigned char *) "Wikipedia", 9) == 0x11e60398 && all == combined
//# violated: adler32(1, (const unsigned char *) "Wikipedia", 9) == 0x11e60399
// Adler-32 as zlib does it: sums over runs that cannot overflow, steps of sixteen bytes by macros.
#include <stddef.h>
extern void reach_error(void);
#define BASE 65521U
#define NMAX 5552
#define DO1(buf, i) { adler += (buf)[i]; sum2 += adler; }
#define DO2(buf, i) DO1(buf, i) DO1(buf, i + 1)
#define DO4(buf, i) DO2(buf, i) DO2(buf, i + 2)
#define DO8(buf, i) DO4(buf, i) DO4(buf, i + 4)
#define DO16(buf) DO8(buf, 0) DO8(buf, 8)
static unsigned long adler32(unsigned long adler, const unsigned char *buf, size_t len)
{
    unsigned long sum2 = adler >> 16 & 0xffff;
    unsigned n;
    adler &= 0xffff;
    if (buf == NULL) return 1L;
    if (len < 16) {
        while (len--) { adler += *buf++; sum2 += adler; }
        if (adler >= BASE) adler -= BASE;
        sum2 %= BASE;
        return adler | sum2 << 16;
    }
    while (len >= NMAX) {
        len -= NMAX;
        n = NMAX / 16;
        do { DO16(buf); buf += 16; } while (--n);
        adler %= BASE, sum2 %= BASE;
    }
    if (len) {
        while (len >= 16) { len -= 16; DO16(buf); buf += 16; }
        while (len--) { adler += *buf++; sum2 += adler; }
        adler %= BASE, sum2 %= BASE;
    }
    return adler | sum2 << 16;
}
static unsigned long combine(unsigned long one, unsigned long two, unsigned long len2)
{
    unsigned long rem = len2 % BASE, sum1 = one & 0xffff, sum2 = rem * sum1 % BASE;
    sum1 += (two & 0xffff) + BASE - 1;
    sum2 += (one >> 16 & 0xffff) + (two >> 16 & 0xffff) + BASE - rem;
    if (sum1 >= BASE) sum1 -= BASE;
    if (sum1 >= BASE) sum1 -= BASE;
    if (sum2 >= BASE << 1) sum2 -= BASE << 1;
    if (sum2 >= BASE) sum2 -= BASE;
    return sum1 | sum2 << 16;
}
static unsigned char bytes[20000];
int main(void)
{
    unsigned x = 12345;
    for (size_t i = 0; i < sizeof bytes; i++) { x = x * 1103515245 + 12345; bytes[i] = (unsigned char) (x >> 16); }
    unsigned long all = adler32(adler32(0, NULL, 0), bytes, sizeof bytes);
    unsigned long combined = combine(adler32(1, bytes, 7777), adler32(1, bytes + 7777, sizeof bytes - 7777), sizeof bytes - 7777);
    if (!(CLAIM)) reach_error();
    return 0;
}
