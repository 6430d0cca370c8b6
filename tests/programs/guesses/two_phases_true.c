// An equation in each of two phases, and counters that meet from both ends.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), x = 0;
  if (n < 0 || n > 1000000) return 0;
  int y = n;
  while (x < 2 * n) {
    if (x >= n) y++;
    x++;
  }
  if (y != 2 * n) reach_error();
  unsigned m = __VERIFIER_nondet_uint(), i = 0, j = m, s = 0;
  while (i < j) {
    i++;
    j--;
    s += 2;
  }
  if (s != m && s != m + 1) reach_error();
  return 0;
}
