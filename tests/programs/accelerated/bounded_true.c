// The counter does not come so far, with lanes or without.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  if (n > 250000) return 0;
  while (i < n) i++;
  if (i == 300000) reach_error();
  return 0;
}
