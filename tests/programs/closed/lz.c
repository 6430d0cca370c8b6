//# holds: length > 0 && length < 160 && back == size && memcmp(text, restored, size) == 0
//# violated: length >= size
// A compressor of the LZ77 family for a constant text, after the block format of LZ4: a hash table of positions, unaligned reads of four bytes,
// tokens of literals and matches. The text is restored from what it writes.
#include <stdint.h>
#include <string.h>
extern void reach_error(void);

#define HASH_LOG 10
#define LAST_LITERALS 5
#define MATCH_LIMIT 12

static uint32_t read32(const void *p) { uint32_t v; memcpy(&v, p, sizeof v); return v; }
static void write16(void *p, uint16_t v) { uint8_t b[2] = { (uint8_t) v, (uint8_t) (v >> 8) }; memcpy(p, b, 2); }
static uint32_t hash(uint32_t sequence) { return (sequence * 2654435761U) >> (32 - HASH_LOG); }

static unsigned common(const uint8_t *a, const uint8_t *b, const uint8_t *limit)
{
    const uint8_t *start = a;
    while (a < limit - 3) {
        uint32_t diff = read32(a) ^ read32(b);
        if (diff) return (unsigned) (a - start) + ((unsigned) __builtin_ctz(diff) >> 3);
        a += 4, b += 4;
    }
    while (a < limit && *a == *b) a++, b++;
    return (unsigned) (a - start);
}

static uint8_t *put_length(uint8_t *op, unsigned n)
{
    for (; n >= 255; n -= 255) *op++ = 255;
    *op++ = (uint8_t) n;
    return op;
}

static int compress(const char *source, char *dest, int size)
{
    static uint32_t table[1 << HASH_LOG];
    const uint8_t *base = (const uint8_t *) source, *ip = base, *anchor = ip;
    const uint8_t *const end = ip + size, *const limit = end - LAST_LITERALS, *const start_limit = end - MATCH_LIMIT;
    uint8_t *op = (uint8_t *) dest;
    memset(table, 0, sizeof table);
    if (size < MATCH_LIMIT + 1) goto last;
    table[hash(read32(ip))] = 0;
    ip++;
    while (ip < start_limit) {
        uint32_t h = hash(read32(ip));
        const uint8_t *match = base + table[h];
        table[h] = (uint32_t) (ip - base);
        if (match >= ip || match + 65535 < ip || read32(match) != read32(ip)) {
            ip++;
            continue;
        }
        while (ip > anchor && match > base && ip[-1] == match[-1]) ip--, match--;
        unsigned literals = (unsigned) (ip - anchor);
        unsigned more = common(ip + 4, match + 4, limit);
        uint8_t *token = op++;
        *token = (uint8_t) ((literals >= 15 ? 15 : literals) << 4 | (more >= 15 ? 15 : more));
        if (literals >= 15) op = put_length(op, literals - 15);
        memcpy(op, anchor, literals);
        op += literals;
        write16(op, (uint16_t) (ip - match));
        op += 2;
        if (more >= 15) op = put_length(op, more - 15);
        ip += 4 + more;
        anchor = ip;
        if (ip < start_limit) table[hash(read32(ip - 2))] = (uint32_t) (ip - 2 - base);
    }
last:;
    unsigned rest = (unsigned) (end - anchor);
    *op++ = (uint8_t) ((rest >= 15 ? 15 : rest) << 4);
    if (rest >= 15) op = put_length(op, rest - 15);
    memcpy(op, anchor, rest);
    return (int) ((char *) op + rest - dest);
}

static int decompress(const char *source, char *dest, int size, int capacity)
{
    const uint8_t *ip = (const uint8_t *) source, *const end = ip + size;
    uint8_t *op = (uint8_t *) dest, *const out_end = op + capacity;
    for (;;) {
        unsigned token = *ip++, length = token >> 4;
        if (length == 15) { unsigned s; do { s = *ip++; length += s; } while (s == 255); }
        if (length > (unsigned) (out_end - op)) return -1;
        memcpy(op, ip, length);
        ip += length, op += length;
        if (ip >= end) return (int) (op - (uint8_t *) dest);
        unsigned offset = ip[0] | (unsigned) ip[1] << 8;
        ip += 2;
        const uint8_t *match = op - offset;
        if (offset == 0 || match < (uint8_t *) dest) return -1;
        length = token & 15;
        if (length == 15) { unsigned s; do { s = *ip++; length += s; } while (s == 255); }
        length += 4;
        if (length > (unsigned) (out_end - op)) return -1;
        while (length--) *op++ = *match++;
    }
}

int main(void)
{
    static const char text[] =
        "she sells sea shells by the sea shore; the shells she sells are sea shells, I am sure. "
        "So if she sells sea shells on the sea shore, then I am sure she sells sea shore shells. "
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    char packed[sizeof text + sizeof text / 255 + 16], restored[sizeof text];
    int size = (int) sizeof text;
    int length = compress(text, packed, size);
    int back = decompress(packed, restored, length, size);
    if (!(CLAIM)) reach_error();
    return 0;
}
