// A counter whose steps are an input.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), d = __VERIFIER_nondet_int(), x = 0, i = 0;
  if (d < 0 || d > 100) return 0;
  while (i < n) {
    x += d;
    i++;
  }
  if (x == 1000007 && i > 50000) reach_error();
  return 0;
}
