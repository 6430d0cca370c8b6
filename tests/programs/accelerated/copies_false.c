// Variables that follow a counter are where it was in the last turn.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, twice = 0, before = 0;
  while (i < n) {
    twice = 2 * i + 1;
    before = i;
    i++;
  }
  if (twice == 400001 && before == 200000) reach_error();
  return 0;
}
