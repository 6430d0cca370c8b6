// The halves do not meet if there is an element between them.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int half = __VERIFIER_nondet_int(), at;
  if (half < 1 || half > 100000000) return 0;
  int given[2 * half + 1], got[2 * half + 1];
  for (at = 0; at < half; at++) {
    got[at] = given[at];
    got[2 * half - at] = given[2 * half - at];
  }
  for (at = 0; at < 2 * half + 1; at++)
    if (got[at] != given[at]) reach_error();
  return 0;
}
