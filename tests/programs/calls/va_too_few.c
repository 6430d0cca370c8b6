// More arguments are read than were passed: undefined, so that nothing is concluded.
//# verdict: UNKNOWN
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
int main(void) {
  if (sum(3, 1, 2) != 3) reach_error();
  return 0;
}
