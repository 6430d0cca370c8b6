// Arguments of several types, more than registers hold, in the order of the call.
//# verdict: TRUE
#include <stdarg.h>
extern void reach_error(void);
struct pair { int a; long b; };
struct wide { long w[5]; };
static long total(const char *kinds, ...) {
  va_list list;
  long sum = 0;
  va_start(list, kinds);
  for (; *kinds; kinds++) {
    switch (*kinds) {
    case 'i': sum = sum * 3 + va_arg(list, int); break;
    case 'u': sum = sum * 3 + va_arg(list, unsigned); break;
    case 'l': sum = sum * 3 + va_arg(list, long); break;
    case 'c': sum = sum * 3 + (char)va_arg(list, int); break;
    case 'p': sum = sum * 3 + *va_arg(list, short *); break;
    case 's': { struct pair s = va_arg(list, struct pair); sum = sum * 3 + s.a - s.b; break; }
    case 'w': sum = sum * 3 + va_arg(list, struct wide).w[4]; break;
    }
  }
  va_end(list);
  return sum;
}
int main(void) {
  short h = -4;
  char c = -3;
  struct pair p = {8, 1};
  struct wide w = {{1, 2, 3, 4, 9}};
  if (total("") != 0) reach_error();
  if (total("iulcpsw", 1, 4294967295u, -2L, c, &h, p, w) != ((((((1 * 3 + 4294967295L) * 3 - 2) * 3 - 3) * 3 - 4) * 3 + 7) * 3 + 9)) reach_error();
  if (total("iiiiiiiiii", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10) != 44281) reach_error();
  return 0;
}
