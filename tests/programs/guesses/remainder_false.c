// The last of the steps that are tried is no multiple of 8.
//# call reach_error: FALSE
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned sum = 3, step = 8;
  while (__VERIFIER_nondet_uint()) {
    sum += step;
    step += step == 80 ? 4 : 8;
    if (sum % 8 == 7) reach_error();
  }
  return 0;
}
