// The sum is a multiple of eight, and so may be any of these.
//# call reach_error: FALSE
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned twos = 0, fours = 0, eights = 0;
  while (__VERIFIER_nondet_uint()) {
    twos += 2 * __VERIFIER_nondet_uint();
    fours += 4 * __VERIFIER_nondet_uint();
    eights += 8 * __VERIFIER_nondet_uint();
    if (4 * twos + 2 * fours + eights == 16) reach_error();
  }
  return 0;
}
