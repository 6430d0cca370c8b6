// The macros of tgmath.h call the function for the type of their operands. verdict: TRUE
#include <tgmath.h>
extern void reach_error(void);
static void check(int holds) { if (!holds) reach_error(); }
static float f(float x) { return x + 1; }
static double d(double x) { return x + 2; }
static long double l(long double x) { return x + 3; }
static float scale_f(float x, int n) { return x * n; }
static double scale_d(double x, int n) { return 2 * x * n; }

int main(void) {
  float small = 4;
  long double large = 9;
  int whole = 16;
  check(sizeof(sqrt(small)) == sizeof(float) && sizeof(sqrt(large)) == sizeof(long double) && sizeof(sqrt(whole)) == sizeof(double));
  check(sqrt(small) == 2 && sqrt(large) == 3 && sqrt(whole) == 4 && fabs(-small) == 4);
#if defined(__GNUC__) && !defined(__clang__)
  check(__builtin_tgmath(f, d, l, small) == 5 && __builtin_tgmath(f, d, l, whole) == 18 && __builtin_tgmath(&l, d, f, large) == 12);
  check(__builtin_tgmath(scale_f, scale_d, small, 3) == 12 && __builtin_tgmath(scale_f, scale_d, 4.0, 3) == 24);
#endif
  return 0;
}
