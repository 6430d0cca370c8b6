//# holds: check == 0xcbf43926 && sliced == bitwise
//# violated: sliced != bitwise
// CRC-32 by a table, four tables at once, and bit by bit.
#include <stdint.h>
#include <string.h>
extern void reach_error(void);
static uint32_t table[4][256];
static void make(void)
{
    for (uint32_t n = 0; n < 256; n++) {
        uint32_t c = n;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        table[0][n] = c;
    }
    for (int n = 0; n < 256; n++)
        for (int k = 1; k < 4; k++) table[k][n] = table[k - 1][n] >> 8 ^ table[0][table[k - 1][n] & 0xff];
}
static uint32_t crc(uint32_t crc, const unsigned char *p, size_t len)
{
    crc = ~crc;
    for (; len && ((uintptr_t) 0 | (len & 3)); len--) crc = crc >> 8 ^ table[0][(crc ^ *p++) & 0xff];
    for (; len; len -= 4, p += 4) {
        uint32_t word;
        memcpy(&word, p, 4);
        crc ^= word;
        crc = table[3][crc & 0xff] ^ table[2][crc >> 8 & 0xff] ^ table[1][crc >> 16 & 0xff] ^ table[0][crc >> 24];
    }
    return ~crc;
}
static uint32_t slow(const unsigned char *p, size_t len)
{
    uint32_t crc = 0xffffffff;
    while (len--) {
        crc ^= *p++;
        for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
    }
    return crc ^ 0xffffffff;
}
int main(void)
{
    const char *text = "The quick brown fox jumps over the lazy dog";
    make();
    uint32_t check = crc(0, (const unsigned char *) "123456789", 9);
    uint32_t sliced = crc(0, (const unsigned char *) text, strlen(text)), bitwise = slow((const unsigned char *) text, strlen(text));
    if (!(CLAIM)) reach_error();
    return 0;
}
