// Variadic functions behind pointers, in recursion, and as arguments of one another.
//# verdict: TRUE
#include <stdarg.h>
extern void reach_error(void);
static int sum(int n, ...) {
  va_list list;
  int s = 0;
  va_start(list, n);
  while (n-- > 0) s += va_arg(list, int);
  va_end(list);
  return s;
}
static int greatest(int n, ...) {
  va_list list;
  va_start(list, n);
  int m = va_arg(list, int);
  while (--n > 0) {
    int v = va_arg(list, int);
    if (v > m) m = v;
  }
  va_end(list);
  return m;
}
static int digits(int depth, ...) {
  va_list list;
  va_start(list, depth);
  int first = va_arg(list, int);
  int below = depth ? digits(depth - 1, first + 1, 0) : 0;
  int second = va_arg(list, int);
  va_end(list);
  return below * 10 + first + second;
}
static int quiet(int n, ...) { return n; }
static int (*const table[])(int, ...) = {sum, greatest, quiet};
int main(void) {
  int expected[] = {9, 5, 3};
  for (int i = 0; i < 3; i++)
    if (table[i](3, 1, 5, 3) != expected[i]) reach_error();
  if (sum(2, sum(2, 3, 4), greatest(2, 8, 6)) != 15) reach_error();
  if (digits(3, 1, 100) != 4000 + 300 + 20 + 101) reach_error();
  return 0;
}
