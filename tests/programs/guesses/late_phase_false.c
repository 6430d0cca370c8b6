// The second phase begins a turn too late.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 0, y = 40000, limit = __VERIFIER_nondet_int();
  if (limit < 80000 || limit > 7000000) return 0;
  while (x < limit) {
    if (x > 40000) y++;
    x++;
  }
  if (y != limit) reach_error();
  return 0;
}
