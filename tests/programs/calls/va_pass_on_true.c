// A list is passed on by its parameter, by a pointer, as a member of a record, and copied.
//# verdict: TRUE
#include <stdarg.h>
extern void reach_error(void);
struct state { int count; va_list list; };
static int next(va_list list) { return va_arg(list, int); }
static int next_by_pointer(va_list *list) { return va_arg(*list, int); }
static int next_in_record(struct state *s) { s->count++; return va_arg(s->list, int); }
static int helper(int n, va_list list) {
  int sum = 0;
  va_list again;
  va_copy(again, list);
  for (int i = 0; i < n; i++) sum = sum * 10 + va_arg(list, int);
  for (int i = 0; i < n; i++) sum = sum * 10 + va_arg(again, int);
  va_end(again);
  return sum;
}
static int start(int n, ...) {
  va_list list;
  va_start(list, n);
  int sum = helper(n, list);
  va_end(list);
  return sum;
}
static int mixed(int n, ...) {
  struct state s = {0};
  va_list list;
  va_start(list, n);
  int a = next_by_pointer(&list);
  int b = next_by_pointer(&list);
  va_copy(s.list, list);
  int c = next_in_record(&s);
  int d = next_in_record(&s);
  int e = next(s.list);
  int again = next(list);
  va_end(list);
  va_end(s.list);
  return a * 100000 + b * 10000 + c * 1000 + d * 100 + e * 10 + again;
}
int main(void) {
  if (start(3, 1, 2, 3) != 123123) reach_error();
  if (mixed(5, 1, 2, 3, 4, 5) != 123453) reach_error();
  return 0;
}
