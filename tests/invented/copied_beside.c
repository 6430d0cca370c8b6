// The member beside the invented one decides, in a copy of the record, and the argument beside it.
//# FALSE:
extern void reach_error(void);
extern int wcwidth(int);
extern int sensor(void);
extern void *memcpy(void *, const void *, unsigned long);

struct cell {
  int left, width;
};

static int judge(int columns, int limit, struct cell cell) {
  (void)columns;
  return cell.left > limit;
}

int main(void) {
  struct cell a = {1, 2}, b;
  a.width = wcwidth('a');
  a.left = sensor();
  memcpy(&b, &a, sizeof b);
  if (judge(wcwidth('b'), 1, b))
    reach_error();
  return 0;
}
