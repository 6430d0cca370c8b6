// The value goes through a record, a copy of memory and an argument.
//# UNKNOWN: the result of `wcwidth()`
extern void reach_error(void);
extern int wcwidth(int);
extern void *memcpy(void *, const void *, unsigned long);

struct cell {
  int left, width;
};

static int judge(int limit, struct cell cell) { return cell.width > limit; }

int main(void) {
  struct cell a = {1, 2}, b;
  a.width = wcwidth('a');
  memcpy(&b, &a, sizeof b);
  if (judge(1, b))
    reach_error();
  return 0;
}
