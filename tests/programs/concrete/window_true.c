//# call reach_error: TRUE
// A packer with a window, and its inverse.
extern void reach_error(void);
static const char text[] = "the rain in spain stays mainly in the plain, the rain in spain stays";
static unsigned char packed[256], plain[256];
static int pack(void) {
  int n = sizeof text, at = 0, out = 0;
  while (at < n) {
    int best = 0, from = 0;
    for (int i = at > 60 ? at - 60 : 0; i < at; i++) {
      int k = 0;
      while (k < 15 && at + k < n && text[i + k] == text[at + k]) k++;
      if (k > best) {
        best = k;
        from = at - i;
      }
    }
    if (best >= 3) {
      packed[out++] = 0x80 | from;
      packed[out++] = best;
      at += best;
    } else packed[out++] = text[at++];
  } return out;
}
static int unpack(int n) {
  int out = 0;
  for (int i = 0; i < n; i++) {
    if (packed[i] & 0x80) {
      int from = packed[i] & 0x7f, count = packed[++i];
      while (count--) {
        plain[out] = plain[out - from];
        out++;
      }
    } else plain[out++] = packed[i];
  } return out;
}
int main(void) {
  int n = pack();
  if (n >= (int)sizeof text) reach_error();
  if (unpack(n) != sizeof text) reach_error();
  for (unsigned i = 0; i < sizeof text; i++) if (plain[i] != (unsigned char)text[i]) reach_error();
  return 0;
}
