//# call reach_error: TRUE
// Each frame keeps its own parameter and local variable while deeper ones have theirs.
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int count(int n) {
  int before = n + 1;
  if (n <= 0) return 0;
  int below = count(n - 1);
  if (before != n + 1) reach_error();
  return below + 1;
}

int main(void) {
  int n = __VERIFIER_nondet_uchar() % 3;
  int c = count(n);
  if (c != n) reach_error();
  return 0;
}
