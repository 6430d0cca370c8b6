// Twice the sum is a product of the counter by itself, less the counter.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n, sum, i;
  n = __VERIFIER_nondet_int();
  if (!(1 <= n && n <= 20000)) return 0;
  sum = 0;
  for (i = 1; i <= n; i++) {
    sum = sum + i;
  }
  if (2 * sum != n * (n + 1)) reach_error();
  return 0;
}
