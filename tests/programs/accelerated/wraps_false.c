// One of two counters wraps around many times.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  unsigned char c = 0;
  int n = __VERIFIER_nondet_int(), i = 0;
  while (i < n) {
    c++;
    i++;
  }
  if (i > 200000 && c == 7) reach_error();
  return 0;
}
