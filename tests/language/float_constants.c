// Constants of every floating-point format, and constants about overflow. verdict: TRUE
extern void reach_error(void);
static void check(int holds) { if (!holds) reach_error(); }
static _Float32 quiet = __builtin_nanf32("");
static _Float64 infinite = __builtin_inff64();
static _Float32x huge = __builtin_huge_valf32x();
_Static_assert(__builtin_add_overflow_p(2147483647, 1, 0), "an int more");
_Static_assert(!__builtin_mul_overflow_p(65536, 65536, 0L) == (sizeof(long) == 8), "a product");
_Static_assert(__builtin_mul_overflow_p(-1LL, 18446744073709551615ULL, 0ULL), "a negative product");
_Static_assert(!__builtin_sub_overflow_p(1u, 2u, 0), "a negative difference");

int main(void) {
#if defined(__i386__) || defined(__x86_64__)
  __float80 x = 1;
  check(sizeof(x) == sizeof(long double) && x + 2 == (__float80)3);
#endif
  check(quiet != quiet && infinite > 1e308 && huge == infinite);
  return 0;
}
