// Behind a call through a pointer that may be null, the pointer is not null.
//# verdict: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int n;
static void g(void) { n++; }
static int id(int a) { return a; }
static int (*pick(int i))(int) { return i > 0 ? id : 0; }
int main(void) {
  void (*f)(void) = 0;
  int i = __VERIFIER_nondet_int();
  if (i > 0) f = g;
  f();
  if (f == 0 || i <= 0 || n != 1) reach_error();
  if (pick(i - 1)(7) != 7) reach_error();
  if (i <= 1) reach_error();
  return 0;
}
