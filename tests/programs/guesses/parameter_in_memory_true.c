// A parameter lies in memory, where executions with chosen inputs do not follow it; the other variables they do.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int walk(int n) {
  int *p = &n, i, steps = 0;
  for (i = 0; i < 1000000; i++) steps = steps + 2;
  if (*p == n) return steps;
  return steps;
}
int main(void) {
  if (walk(__VERIFIER_nondet_int()) != 2000000) reach_error();
  return 0;
}
