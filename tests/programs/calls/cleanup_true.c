// All ways of leaving a scope run what is to be cleaned up, the last declared first.
//# verdict: TRUE
extern void reach_error(void);
static int trace;
static void note(int *p) { trace = trace * 10 + *p; }
static void twice(int *p) { *p *= 2; note(p); }
#define CLEAN __attribute__((cleanup(note)))
static int fall_through(void) {
  int a CLEAN = 1;
  { CLEAN int b = 2; }
  int c __attribute__((__cleanup__(note))) = 3;
  trace = trace * 10 + 9;
  return 0;
}
static int value_first(void) {
  int a __attribute__((cleanup(twice))) = 4;
  return a;
}
static int loops(void) {
  int sum = 0;
  for (int i CLEAN = 1; i < 6; i++) {
    int j CLEAN = i;
    if (i == 2) continue;
    if (i == 4) break;
    sum += j;
  }
  do {
    int k CLEAN = 7;
  } while (0);
  switch (sum) {
    case 4: {
      int m CLEAN = 8;
      break;
    }
    default: sum = 0;
  }
  return sum;
}
static int jumps(int n) {
again:;
  int a CLEAN = n;
  {
    int b CLEAN = 5;
    if (n == 1) { n = 2; goto again; }
    if (n == 2) { n = 3; goto inside; }
    goto out;
inside:;
    int c CLEAN = 6;
    if (n == 3) goto out;
  }
out:
  return n;
}
static int expression(void) {
  int v = ({ int a CLEAN = 1; int b CLEAN = 2; a + b; }) + 5;
  if (({ int c CLEAN = 0; c; })) v = 0;
  while (({ int d CLEAN = 3; v < 9 ? v++ : 0; })) ;
  return v;
}
static void from_inside(int n) {
  int a CLEAN = 1;
  int b = ({ int c CLEAN = 2; if (n) return; c; });
  trace = trace * 10 + b;
}
static int check(int result, int expected, int order) {
  int right = result == expected && trace == order;
  trace = 0;
  return right;
}
int main(void) {
  if (!check(fall_through(), 0, 2931)) reach_error();
  if (!check(value_first(), 4, 8)) reach_error();
  if (!check(loops(), 4, 1234478)) reach_error();
  if (!check(jumps(1), 3, 51652)) reach_error();
  if (!check(expression(), 9, 21033)) reach_error();
  from_inside(1);
  if (!check(0, 0, 21)) reach_error();
  from_inside(0);
  if (!check(0, 0, 221)) reach_error();
  return 0;
}
