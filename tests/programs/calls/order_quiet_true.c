// Operands that do not depend on each other.
//# verdict: TRUE
//# quiet: evaluation order
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct one { int a; } one;
struct two { int b; } two;
static int reads, writes;
static int read_one(struct one *p) { reads++; return p->a; }
static int write_two(struct two *p, int v) { p->b = v; writes = 1; return v; }
static int pure(int a) { int b = a; b++; return b; }
static int add(int a, int b) { return a + b; }
int main(void) {
  int i = 0, a[3] = {1, 2, 3};
  int v = add(read_one(&one), write_two(&two, 5));
  v += add(pure(1), pure(2));
  v += a[i++] * pure(3);
  int w = __VERIFIER_nondet_int() ^ __VERIFIER_nondet_int();
  a[i] = read_one(&one);
  i = pure(i) + i;
  if (v != 5 + 5 + 4 || (w ^ w)) reach_error();
  return 0;
}
