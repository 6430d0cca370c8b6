//# call reach_error: TRUE
// Functions of strings, and numbers as text.
extern void reach_error(void);
static unsigned long length(const char *s) {
  const char *p = s;
  while (*p) p++;
  return p - s;
}
static int compare(const char *a, const char *b) {
  while (*a && *a == *b) {
    a++;
    b++;
  }
  return (unsigned char)*a - (unsigned char)*b;
}
static char *joined(char *to, const char *a, const char *b) {
  char *p = to;
  while (*a) *p++ = *a++;
  while ((*p++ = *b++)) {
  } return to;
}
static const char *found(const char *s, char c) {
  for (; *s; s++) if (*s == c) return s;
  return 0;
}
static int number(char *out, long value) {
  char digits[24];
  int n = 0, k = 0;
  unsigned long v = value < 0 ? -(unsigned long)value : value;
  do {
    digits[n++] = '0' + v % 10;
    v /= 10;
  } while (v);
  if (value < 0) out[k++] = '-';
  while (n) out[k++] = digits[--n];
  out[k] = 0;
  return k;
}
int main(void) {
  char buffer[64];
  joined(buffer, "left", "right");
  if (length(buffer) != 9 || compare(buffer, "leftright")) reach_error();
  if (compare("a", "b") >= 0 || compare("ab", "a") <= 0) reach_error();
  if (found(buffer, 'r') != buffer + 4 || found(buffer, 'z')) reach_error();
  if (number(buffer, -9223372036854775807L - 1) != 20 || compare(buffer, "-9223372036854775808")) reach_error();
  if (number(buffer, 0) != 1 || compare(buffer, "0")) reach_error();
  return 0;
}
