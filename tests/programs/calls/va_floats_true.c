// Floating arguments are promoted, and lie between others.
//# verdict: TRUE
#include <stdarg.h>
extern void reach_error(void);
static double last(int n, ...) {
  va_list list;
  double d = 0;
  va_start(list, n);
  while (n--) {
    int i = va_arg(list, int);
    d = va_arg(list, double) + i;
  }
  va_end(list);
  return d;
}
int main(void) {
  float f = 0.5f;
  if (last(2, 1, 0.25, 2, f) != 2.5) reach_error();
  return 0;
}
