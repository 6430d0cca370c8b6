// A part that the slice leaves out reads inputs, too, so that the whole program reads others than the slice.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int seen = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int(), i = 0;
  while (i < n) {
    seen += __VERIFIER_nondet_int();
    i++;
  }
  if (i == 60000) reach_error();
  return seen;
}
