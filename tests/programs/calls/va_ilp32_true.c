// In ILP32 a list is a pointer: it is passed by value and can be assigned.
//# data-model: ILP32
//# verdict: TRUE
#include <stdarg.h>
extern void reach_error(void);
static int next(va_list list) { return va_arg(list, int); }
static int all(int n, ...) {
  va_list list, copy;
  va_start(list, n);
  int a = next(list);
  int b = va_arg(list, int);
  copy = list;
  long long c = va_arg(list, long long);
  int *d = va_arg(copy, long long) == c ? va_arg(list, int *) : 0;
  va_end(list);
  return sizeof(va_list) == 4 && a == 1 && b == 1 && c == 1LL << 40 && *d == 6;
}
int main(void) {
  int six = 6;
  if (!all(3, 1, 1LL << 40, &six)) reach_error();
  return 0;
}
