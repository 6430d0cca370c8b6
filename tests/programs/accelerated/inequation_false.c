// A loop that ends where two numbers are equal.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), x = 0;
  while (x != n) x += 3;
  if (x > 600000) reach_error();
  return 0;
}
