//# holds: problems == 0
//# violated: problems != 0
// Bytes of values: unions, bit-fields, endianness, floats by their bits, flexible arrays, packed records, compound literals, function tables, goto, VLAs.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
union word { uint32_t u; float f; uint8_t b[4]; struct { unsigned low : 5, mid : 11, high : 16; } bits; };
struct __attribute__((packed)) header { uint8_t kind; uint32_t length; uint16_t flags; };
struct message { unsigned count; struct { short id; char text[6]; } items[]; };
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static const struct operation { const char *name; int (*apply)(int, int); } table[] = { { "add", add }, { "sub", sub }, { "mul", mul } };
static int dispatch(const char *name, int a, int b)
{
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++) if (!strcmp(table[i].name, name)) return table[i].apply(a, b);
    return -1;
}
static float inverse_root(float x)
{
    int32_t i;
    float y = x, half = x * 0.5f;
    memcpy(&i, &y, 4);
    i = 0x5f3759df - (i >> 1);
    memcpy(&y, &i, 4);
    return y * (1.5f - half * y * y);
}
static int matrix(int n)
{
    int m[n][n], sum = 0;
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) m[i][j] = i * j;
    for (int i = 0; i < n; i++) sum += m[i][n - 1 - i];
    return sum + (int) (sizeof m / sizeof m[0][0]);
}
int main(void)
{
    int problems = 0;
    union word w = { .f = 1.0f };
    problems += w.u != 0x3f800000 || w.b[3] != 0x3f || w.bits.high != 0x3f80;
    w.bits.low = 21, w.bits.mid = 0x5aa;
    problems += w.u != (0x3f800000u | 0x5aa << 5 | 21);
    unsigned char raw[7] = { 9, 0x78, 0x56, 0x34, 0x12, 0xcd, 0xab };
    struct header h;
    memcpy(&h, raw, sizeof h);
    problems += sizeof h != 7 || h.kind != 9 || h.length != 0x12345678 || h.flags != 0xabcd;
    struct message *m = malloc(sizeof *m + 3 * sizeof m->items[0]);
    m->count = 3;
    for (unsigned i = 0; i < m->count; i++) { m->items[i].id = (short) -(int) i; strcpy(m->items[i].text, "id-00"); m->items[i].text[4] = (char) ('0' + i); }
    problems += m->items[2].id != -2 || strcmp(m->items[2].text, "id-02");
    free(m);
    problems += dispatch("mul", 6, 7) != 42 || dispatch("sub", 1, 2) != -1 || dispatch("div", 1, 1) != -1;
    float y = inverse_root(4.0f);
    problems += !(y > 0.499f && y < 0.501f);
    problems += matrix(9) != 84 + 81;
    int *literal = (int[]) { [3] = 7, [1] = 5 };
    problems += literal[0] != 0 || literal[1] + literal[3] != 12;
    int rounds = 0;
again:
    if (++rounds < 1000) goto again;
    problems += rounds != 1000;
    uint64_t swapped = __builtin_bswap64(0x0102030405060708ULL);
    problems += swapped != 0x0807060504030201ULL || __builtin_popcountll(swapped) != 13;
    double d = -0.0;
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    problems += bits != 1ULL << 63;
    if (!(CLAIM)) reach_error();
    return 0;
}
