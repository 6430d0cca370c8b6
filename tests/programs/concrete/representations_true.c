//# call reach_error: TRUE
// Bit-fields, unions, records that are returned, conversions.
extern void reach_error(void);
struct packed {
  unsigned a : 3;
  int b : 5;
  unsigned long c : 33;
  signed char d;
};
union word {
  unsigned u;
  unsigned char byte[4];
  float f;
};
struct pair {
  int x, y;
};
static struct pair swapped(struct pair p) {
  struct pair q = { p.y, p.x };
  return q;
}
struct big {
  int v[4];
};
static struct big doubled(struct big b) {
  for (int i = 0; i < 4; i++) b.v[i] *= 2;
  return b;
}
int main(void) {
  struct packed p;
  p.a = 9;
  p.b = 17;
  p.c = 0x1ffffffffUL + 2;
  p.d = 200;
  if (p.a != 1 || p.b != -15 || p.c != 1 || p.d != -56) reach_error();
  union word w;
  w.u = 0x01020304;
  if (w.byte[0] != 4) reach_error();
  w.byte[3] = 0x40;
  if (w.u != 0x40020304) reach_error();
  struct pair q = swapped((struct pair){1, 2});
  if (q.x != 2 || q.y != 1) reach_error();
  struct big b = {{1, 2, 3, 4}};
  b = doubled(doubled(b));
  if (b.v[3] != 16) reach_error();
  _Bool t = 256;
  if (t != 1) reach_error();
  signed char c = -128;
  if (-c != 128) reach_error();
  if ((c >> 1) != -64 || (unsigned char)c >> 1 != 64) reach_error();
  long m = -7;
  if (m / 2 != -3 || m % 2 != -1) reach_error();
  unsigned long long z = -1;
  if (z / 3 != 6148914691236517205ULL) reach_error();
  double d = 0.1;
  float f = 0.1f;
  if (d + 0.2 == 0.3) reach_error();
  if ((double)f == d) reach_error();
  if ((int)(f * 100.0f) != 10) reach_error();
  return 0;
}
