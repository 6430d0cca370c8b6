//# holds: sums == 0 && digest[0] == 0xba && digest[31] == 0xad
//# violated: digest[31] == 0xae
// SHA-256 of "abc", and of a message of a thousand bytes in pieces of different sizes.
#include <stdint.h>
#include <string.h>
extern void reach_error(void);
typedef struct { uint32_t h[8]; uint64_t length; uint8_t block[64]; unsigned used; } context;
static const uint32_t k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2 };
#define ROR(x, n) ((x) >> (n) | (x) << (32 - (n)))
static void transform(context *c, const uint8_t *p)
{
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++) w[i] = (uint32_t) p[4 * i] << 24 | (uint32_t) p[4 * i + 1] << 16 | (uint32_t) p[4 * i + 2] << 8 | p[4 * i + 3];
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + (ROR(w[i - 15], 7) ^ ROR(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] + (ROR(w[i - 2], 17) ^ ROR(w[i - 2], 19) ^ w[i - 2] >> 10);
    memcpy(s, c->h, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t t1 = s[7] + (ROR(s[4], 6) ^ ROR(s[4], 11) ^ ROR(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + k[i] + w[i];
        uint32_t t2 = (ROR(s[0], 2) ^ ROR(s[0], 13) ^ ROR(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++) c->h[i] += s[i];
}
static void init(context *c)
{
    static const uint32_t start[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
    memset(c, 0, sizeof *c);
    memcpy(c->h, start, sizeof start);
}
static void update(context *c, const void *data, size_t n)
{
    const uint8_t *p = data;
    c->length += n;
    while (n) {
        size_t room = 64 - c->used, now = n < room ? n : room;
        memcpy(c->block + c->used, p, now);
        c->used += (unsigned) now, p += now, n -= now;
        if (c->used == 64) transform(c, c->block), c->used = 0;
    }
}
static void finish(context *c, uint8_t out[32])
{
    uint64_t bits = c->length * 8;
    uint8_t pad = 0x80, zero = 0, size[8];
    update(c, &pad, 1);
    while (c->used != 56) update(c, &zero, 1);
    for (int i = 0; i < 8; i++) size[i] = (uint8_t) (bits >> (56 - 8 * i));
    update(c, size, 8);
    for (int i = 0; i < 32; i++) out[i] = (uint8_t) (c->h[i / 4] >> (24 - 8 * (i % 4)));
}
int main(void)
{
    uint8_t digest[32], other[32], message[1000];
    context c;
    int sums = 0;
    for (int i = 0; i < 1000; i++) message[i] = (uint8_t) (i * i >> 3);
    init(&c), update(&c, message, 1000), finish(&c, digest);
    for (unsigned piece = 1; piece < 100; piece += 33) {
        init(&c);
        for (unsigned at = 0; at < 1000; at += piece) update(&c, message + at, 1000 - at < piece ? 1000 - at : piece);
        finish(&c, other);
        sums += memcmp(digest, other, 32) != 0;
    }
    init(&c), update(&c, "abc", 3), finish(&c, digest);
    if (!(CLAIM)) reach_error();
    return 0;
}
