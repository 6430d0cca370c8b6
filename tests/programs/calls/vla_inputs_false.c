// The length is an input; the last element is found.
//# verdict: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 5) return 0;
  int a[n];
  for (int i = 0; i < n; i++) a[i] = i;
  if (sizeof a == 16 && a[n - 1] == 3) reach_error();
  return 0;
}
