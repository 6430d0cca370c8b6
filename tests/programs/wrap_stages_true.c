// A value passes through two stages, and may wrap around in each of them. The stages have equations in common modulo the word only.
//# data-model ILP32
//# call reach_error: TRUE
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
  unsigned int first = __VERIFIER_nondet_uint(), second = 0, third = 0;
  int stage = 0;
  while (__VERIFIER_nondet_uint()) {
    if (stage == 0) {
      first = __VERIFIER_nondet_uint();
      stage = 1;
    } else if (stage == 1) {
      second = 2 * first + 1;
      stage = 2;
    } else if (stage == 2) {
      third = second + first;
      stage = 3;
    } else {
      if (third != 3 * first + 1)
        reach_error();
      stage = 0;
    }
  }
  return 0;
}
