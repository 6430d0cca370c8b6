// Both halves of an array are copied at once, from their ends: two claims cover all elements.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int half = __VERIFIER_nondet_int(), at;
  if (half < 1 || half > 100000000) return 0;
  int given[2 * half], got[2 * half];
  for (at = 0; at < half; at++) {
    got[at] = given[at];
    got[2 * half - 1 - at] = given[2 * half - 1 - at];
  }
  for (at = 0; at < 2 * half; at++)
    if (got[at] != given[at]) reach_error();
  return 0;
}
