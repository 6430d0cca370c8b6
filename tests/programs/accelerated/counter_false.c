// The number of turns is an input.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  while (i < n) i++;
  if (i == 300000) reach_error();
  return 0;
}
