// The second phase begins a round too soon.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), x = 0;
  if (n < 1 || n > 1000000) return 0;
  int y = n;
  while (x < 2 * n) {
    if (x >= n - 1) y++;
    x++;
  }
  if (y != 2 * n) reach_error();
  return 0;
}
