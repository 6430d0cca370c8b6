//# holds: done == 0 && size == 44 && !memcmp(out, "hello hello hello hello, zlib and deflate!!!", 44)
//# violated: done != 0
// A decoder of deflate streams with fixed and dynamic codes; it leaves by longjmp where the input ends.
#include <setjmp.h>
#include <string.h>
extern void reach_error(void);
struct state { unsigned char *out; unsigned long outlen, outcnt; const unsigned char *in; unsigned long inlen, incnt; int bitbuf, bitcnt; jmp_buf env; };
struct huffman { short *count, *symbol; };
static int bits(struct state *s, int need)
{
    long val = s->bitbuf;
    while (s->bitcnt < need) {
        if (s->incnt == s->inlen) longjmp(s->env, 1);
        val |= (long) s->in[s->incnt++] << s->bitcnt;
        s->bitcnt += 8;
    }
    s->bitbuf = (int) (val >> need);
    s->bitcnt -= need;
    return (int) (val & ((1L << need) - 1));
}
static int decode(struct state *s, const struct huffman *h)
{
    int code = 0, first = 0, index = 0;
    for (int len = 1; len <= 15; len++) {
        code |= bits(s, 1);
        int count = h->count[len];
        if (code - count < first) return h->symbol[index + (code - first)];
        index += count, first += count, first <<= 1, code <<= 1;
    }
    return -10;
}
static int construct(struct huffman *h, const short *length, int n)
{
    short offs[16];
    for (int len = 0; len <= 15; len++) h->count[len] = 0;
    for (int sym = 0; sym < n; sym++) h->count[length[sym]]++;
    if (h->count[0] == n) return 0;
    int left = 1;
    for (int len = 1; len <= 15; len++) { left <<= 1; left -= h->count[len]; if (left < 0) return left; }
    offs[1] = 0;
    for (int len = 1; len < 15; len++) offs[len + 1] = (short) (offs[len] + h->count[len]);
    for (int sym = 0; sym < n; sym++) if (length[sym] != 0) h->symbol[offs[length[sym]]++] = (short) sym;
    return left;
}
static int codes(struct state *s, const struct huffman *lencode, const struct huffman *distcode)
{
    static const short lens[29] = { 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258 };
    static const short lext[29] = { 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0 };
    static const short dists[30] = { 1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577 };
    static const short dext[30] = { 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13 };
    int symbol;
    do {
        symbol = decode(s, lencode);
        if (symbol < 0) return symbol;
        if (symbol < 256) {
            if (s->outcnt == s->outlen) return 1;
            s->out[s->outcnt++] = (unsigned char) symbol;
        } else if (symbol > 256) {
            symbol -= 257;
            if (symbol >= 29) return -10;
            int len = lens[symbol] + bits(s, lext[symbol]);
            symbol = decode(s, distcode);
            if (symbol < 0) return symbol;
            unsigned dist = (unsigned) (dists[symbol] + bits(s, dext[symbol]));
            if (dist > s->outcnt) return -11;
            if (s->outcnt + (unsigned long) len > s->outlen) return 1;
            while (len--) { s->out[s->outcnt] = s->out[s->outcnt - dist]; s->outcnt++; }
        }
    } while (symbol != 256);
    return 0;
}
static int fixed(struct state *s)
{
    static int virgin = 1;
    static short lencnt[16], lensym[288], distcnt[16], distsym[30];
    static struct huffman lencode, distcode;
    if (virgin) {
        short lengths[288];
        int symbol = 0;
        lencode.count = lencnt, lencode.symbol = lensym, distcode.count = distcnt, distcode.symbol = distsym;
        for (; symbol < 144; symbol++) lengths[symbol] = 8;
        for (; symbol < 256; symbol++) lengths[symbol] = 9;
        for (; symbol < 280; symbol++) lengths[symbol] = 7;
        for (; symbol < 288; symbol++) lengths[symbol] = 8;
        construct(&lencode, lengths, 288);
        for (symbol = 0; symbol < 30; symbol++) lengths[symbol] = 5;
        construct(&distcode, lengths, 30);
        virgin = 0;
    }
    return codes(s, &lencode, &distcode);
}
static int inflate(unsigned char *dest, unsigned long *destlen, const unsigned char *source, unsigned long sourcelen)
{
    struct state s;
    int last, err;
    s.out = dest, s.outlen = *destlen, s.outcnt = 0, s.in = source, s.inlen = sourcelen, s.incnt = 0, s.bitbuf = 0, s.bitcnt = 0;
    if (setjmp(s.env) != 0) err = 2;
    else
        do {
            last = bits(&s, 1);
            int type = bits(&s, 2);
            err = type == 1 ? fixed(&s) : -1;
            if (err != 0) break;
        } while (!last);
    if (err <= 0) *destlen = s.outcnt;
    return err;
}
int main(void)
{
    static const unsigned char packed[] = { 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x57, 0xc8, 0x40, 0x27, 0x75, 0x14, 0xaa, 0x72, 0x32, 0x93, 0x14, 0x12, 0xf3, 0x52, 0x14, 0x52, 0x52, 0xd3, 0x72, 0x12, 0x4b, 0x52, 0x15, 0x15, 0x15, 0x01 };
    unsigned char out[100];
    unsigned long size = sizeof out, other = sizeof out;
    int done = inflate(out, &size, packed, sizeof packed);
    if (inflate(out, &other, packed, 4) != 2) done = 99;
    if (!(CLAIM)) reach_error();
    return 0;
}
