// As parameter_in_memory_true, but a parameter decides about one step.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int walk(int n) {
  int *p = &n, i, steps = 0;
  for (i = 0; i < 1000000; i++) steps = steps + 2;
  if (*p == 17) return steps + 1;
  return steps;
}
int main(void) {
  if (walk(__VERIFIER_nondet_int()) != 2000000) reach_error();
  return 0;
}
