//# call reach_error: TRUE
// Integers of 128 bits, the floating-point formats beside float and double, and the functions that they have.
extern void reach_error(void);
typedef unsigned __int128 wide;
typedef __int128 signed_wide;
struct both { long double x; wide n; _Float16 h; char c; };
static wide products[3];
static wide power(wide base, unsigned exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }
static struct both doubled(struct both b) { b.x += b.x; b.n += b.n; b.h += b.h; return b; }
static void check(int holds) { if (!holds) reach_error(); }
int main(void) {
  wide n = power(10, 38);
  check((unsigned long)(n >> 64) == 5421010862427522170UL && (unsigned long)n == 687399551400673280UL);
  check(n / 10000000000000000000UL / 10000000000000000000UL == 1 && n % 1000000007 == 8213034 + n % 1000000007 - 8213034);
  signed_wide m = -(signed_wide)n;
  check(m < 0 && m / 7 * 7 + m % 7 == m && (m >> 127) == -1 && ~m + 1 == (signed_wide)n && !!m);
  check((m << 0) == m && (int)m == (int)(unsigned)m && (short)(m + 5) == (short)((long)m + 5));
  products[1] = n ^ (wide)m;
  wide *p = products;
  check(p[1] == (n ^ -n) && p[0] == 0 && p[2] != ~(wide)0);
  for (int i = 0; i < 128; i++) check(((wide)1 << i) >> i == 1);
  check((double)n == 1e38 && (wide)1e38f > 0 && (signed_wide)-1e30 < -1000000000);
  int small = 3;
  check(small << (wide)2 == 12 && (_Bool)n == 1);
  _BitInt(100) odd = 1;
  for (int i = 0; i < 99; i++) odd *= 2;
  check(odd < 0 && odd - 1 > 0);

  long double x = 1;
  int steps = 0;
  while (x + 1 != x) { x *= 2; steps++; }
  check(steps == 64);
  __float128 q = 1;
  for (steps = 0; q + 1 != q; steps++) q *= 2;
  check(steps == 113);
  _Float16 h = 1, next = 2;
  for (steps = 0; next != h; steps++, next = h + 1) h *= 2;
  check(steps == 11);
  check((long double)0.1f != 0.1L && (float)0.1L == 0.1f && (long)-1.9L == -1 && (unsigned)3.99L == 3);
  check(x > 1e19L && -x <= x && !(x < 0) && !!x && !-0.0L && (double)x == 18446744073709551616.0);
  struct both b = { 0.5L, 21, 1.5f16, 'c' };
  b = doubled(b);
  struct both *r = &b;
  check(r->x == 1 && r->n == 42 && r->h == 3 && r->c == 'c');

  double zero = 0, nothing = zero / zero;
  unsigned long bits;
  __builtin_memcpy(&bits, &nothing, 8);
  check(bits == 0xfff8000000000000UL && nothing != nothing && !(nothing <= 1));
  float narrow = (float)nothing;
  unsigned short_bits;
  __builtin_memcpy(&short_bits, &narrow, 4);
  check(short_bits == 0xffc00000u && __builtin_isnan(narrow * 2));
  check(__builtin_sqrt(2.25) == 1.5 && __builtin_floor(-0.5) == -1 && __builtin_fabsl(-x) == x && __builtin_fmin(nothing, 1) == 1);
  check(__builtin_copysign(3, -zero) == -3 && __builtin_fma(2, 3, 4) == 10 && __builtin_signbit(nothing));
  return 0;
}
