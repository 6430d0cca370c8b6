// The sum of a counter that falls.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  long s = 0;
  if (n < 0 || n > 400000) return 0;
  for (int i = n; i > 0; i -= 2) s += i;
  if (s > 9000000000L) reach_error();
  return 0;
}
