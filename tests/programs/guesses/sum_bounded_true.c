// Each summand is small and none is negative, so their sum stays below a multiple of the counter and does not wrap around.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int most = __VERIFIER_nondet_int(), least = 1000, sum = 0, at;
  if (most < 0 || most > 30000) return 0;
  int item[most], above[most];
  for (at = 0; at < most; at++) {
    if (item[at] < 0 || item[at] > 1000) return 0;
    if (item[at] < least) least = item[at];
  }
  for (at = 0; at < most; at++) above[at] = item[at] - least;
  for (at = 0; at < most; at++) sum = sum + above[at];
  if (sum < 0) reach_error();
  return 0;
}
