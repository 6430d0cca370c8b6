// Two variables take turns.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_int(), b = a + 1;
  unsigned n = 0;
  while (__VERIFIER_nondet_int() && n < 1000000) {
    int before = a;
    a = b;
    b = before;
    n++;
  }
  if (n % 2 == 0 && b != a + 1) reach_error();
  return 0;
}
