// Multiples of powers of two wrap around to multiples. Where all inputs are equal, each of the numbers is a multiple of the first one.
//# call reach_error: TRUE
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned twos = 0, fours = 0, eights = 0;
  while (__VERIFIER_nondet_uint()) {
    twos += 2 * __VERIFIER_nondet_uint();
    fours += 4 * __VERIFIER_nondet_uint();
    eights += 8 * __VERIFIER_nondet_uint();
    if (4 * twos + 2 * fours + eights == 4) reach_error();
  }
  return 0;
}
