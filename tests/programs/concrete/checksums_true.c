//# call reach_error: TRUE
// Checksums of strings.
extern void reach_error(void);
static unsigned table[256];
static void fill(void) {
  for (unsigned i = 0; i < 256; i++) {
    unsigned c = i;
    for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
    table[i] = c;
  }
}
static unsigned crc(const unsigned char *p, unsigned long n) {
  unsigned c = ~0u;
  while (n--) c = table[(c ^ *p++) & 0xff] ^ (c >> 8);
  return ~c;
}
int main(void) {
  fill();
  if (crc((const unsigned char *)"123456789", 9) != 0xcbf43926u) reach_error();
  unsigned a = 1, b = 0;
  const char *s = "Wikipedia";
  for (; *s; s++) {
    a = (a + (unsigned char)*s) % 65521;
    b = (b + a) % 65521;
  }
  if (((b << 16) | a) != 0x11e60398u) reach_error();
  return 0;
}
