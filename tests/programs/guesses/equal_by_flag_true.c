// A flag that stays set says that all elements agree: the statement about one element is a condition of the program.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int wanted[20000], given[20000], same = 1;
  for (int i = 0; i < 20000; i++) {
    wanted[i] = __VERIFIER_nondet_int();
    given[i] = __VERIFIER_nondet_int();
  }
  for (int i = 0; i < 20000; i++)
    if (wanted[i] != given[i]) same = 0;
  for (int k = 0; k < 20000; k++)
    if (same && given[k] != wanted[k]) reach_error();
  return 0;
}
