// From a number on the counter is odd.
//# call reach_error: FALSE
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = 0, limit = __VERIFIER_nondet_uint();
  if (limit < 70000 || limit > 200000000) return 0;
  while (x < limit) {
    if (x < 60001) x++;
    else x += 2;
  }
  if (x % 2 != 0) reach_error();
  return 0;
}
