// Each turn reads an input.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 0;
  while (__VERIFIER_nondet_int() > 3) x++;
  if (x == 100000) reach_error();
  return 0;
}
