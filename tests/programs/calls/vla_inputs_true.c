// For every length, the elements hold what was written and the size is that of the declaration.
//# verdict: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 3) return 0;
  int a[n], size = sizeof a;
  for (int i = 0; i < n; i++) a[i] = i;
  n = 0;
  if (size != (a[size / 4 - 1] + 1) * 4) reach_error();
  return 0;
}
