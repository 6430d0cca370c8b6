// Two paths through the body, one after the other.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), x = 0, y = 0, z = 0;
  while (x < n) {
    if (x < 100000) y++;
    else z += 2;
    x++;
  }
  if (y == 100000 && z == 160002) reach_error();
  return 0;
}
