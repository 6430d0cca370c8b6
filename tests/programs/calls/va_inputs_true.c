// For every input, the argument that it selects.
//# verdict: TRUE
#include <stdarg.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int pick(int which, ...) {
  va_list list;
  va_start(list, which);
  int v = 0;
  for (int i = 0; i <= which; i++) v = va_arg(list, int);
  va_end(list);
  return v;
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 2) return 0;
  int v = pick(x, 11, 22, x + 31);
  if (v != 11 * (x + 1)) reach_error();
  return 0;
}
