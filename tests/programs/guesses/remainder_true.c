// Sums that wrap around keep their remainder by a power of two, and so does the difference of two.
//# call reach_error: TRUE
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned sum = 3, step = 8, left = 1, right = 5;
  while (__VERIFIER_nondet_uint()) {
    sum += step;
    step += 8;
    unsigned by = __VERIFIER_nondet_uint();
    left += by;
    right += by + 4 * (__VERIFIER_nondet_uint() & 15);
    if (sum == 2000000u || right - left == 6) reach_error();
  }
  return 0;
}
