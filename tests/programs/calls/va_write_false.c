// A write through a pointer that was passed as a variable argument.
//# verdict: FALSE
extern void reach_error(void);
static void set(int n, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, n);
  while (n--) {
    int *p = __builtin_va_arg(list, int *);
    *p = 7;
  }
  __builtin_va_end(list);
}
int main(void) {
  int x = 1, y = 2;
  set(2, &x, &y);
  if (x == 7 && y == 7) reach_error();
  return 0;
}
