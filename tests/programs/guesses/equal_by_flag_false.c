// The last element is not compared.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int wanted[2000], given[2000], same = 1;
  for (int i = 0; i < 2000; i++) {
    wanted[i] = 3;
    given[i] = 3;
  }
  given[1999] = __VERIFIER_nondet_int();
  for (int i = 0; i < 1999; i++)
    if (wanted[i] != given[i]) same = 0;
  for (int k = 0; k < 2000; k++)
    if (same && given[k] != wanted[k]) reach_error();
  return 0;
}
