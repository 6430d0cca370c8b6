// An argument is read as one of an incompatible type: undefined, so that nothing is concluded.
//# verdict: UNKNOWN
#include <stdarg.h>
extern void reach_error(void);
static long get(int n, ...) {
  va_list list;
  va_start(list, n);
  long v = n ? va_arg(list, long) : va_arg(list, int);
  va_end(list);
  return v;
}
int main(void) {
  if (get(0, 5) != 5) return 1;
  if (get(1, 5) != 5) reach_error();
  return 0;
}
