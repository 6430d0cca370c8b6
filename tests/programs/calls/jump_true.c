// Jumps over several calls, through recursion and pointers, to the right frame and with the right value.
//# verdict: TRUE
//# ledger: non-local jump!
#include <setjmp.h>
extern void reach_error(void);
static jmp_buf outer, inner;
static int trace;
static void mark(int d) { trace = trace * 10 + d; }
static int deep(int n, int v) {
  mark(n);
  if (n == 0) longjmp(outer, v);
  int r = deep(n - 1, v);
  mark(9);
  return r;
}
static int (*indirect)(int, int) = deep;
static int simple(void) {
  volatile int tries = 0;
  int got = setjmp(outer);
  tries++;
  if (tries < 3) {
    volatile int kept = 7;
    kept = indirect(2, tries == 1 ? 0 : 5);
    mark(8);
  }
  return tries * 10 + got;
}
struct frame { jmp_buf buffer; int depth; };
static struct frame frames[3];
static int nested(int depth) {
  frames[depth].depth = depth;
  switch (setjmp(frames[depth].buffer)) {
    case 0: break;
    case 4: return depth + 40;
    default: return depth + 50;
  }
  if (depth < 2) return nested(depth + 1) * 100 + depth;
  longjmp(frames[1].buffer, 4);
}
static int here(void) {
  volatile int n = 0;
  if (setjmp(inner) < 3) { n += 2; longjmp(inner, n); }
  return n;
}
static int value(int v) {
  volatile int result = 6;
  if (!setjmp(inner)) result = (longjmp(inner, 1), v);
  return result;
}
int main(void) {
  if (simple() != 35 || trace != 210210) reach_error();
  if (nested(0) != 4100) reach_error();
  if (here() != 4) reach_error();
  if (value(1) != 6) reach_error();
  return 0;
}
