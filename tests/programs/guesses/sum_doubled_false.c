// As sum_doubled_true, but the sum is one too large from 200 on.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n, sum, i;
  n = __VERIFIER_nondet_int();
  if (!(1 <= n && n <= 20000)) return 0;
  sum = 0;
  for (i = 1; i <= n; i++) {
    sum = sum + i + (i == 200);
  }
  if (2 * sum != n * (n + 1)) reach_error();
  return 0;
}
