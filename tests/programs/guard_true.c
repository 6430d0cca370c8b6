//# call reach_error: TRUE
// What the loop does not touch decides on which side of zero it works.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int positive = __VERIFIER_nondet_int();
  int i;
  if (positive) i = 1;
  else i = -1;
  while (__VERIFIER_nondet_int()) {
    if (i > 0) {
      if (i < 100) i = i + 1;
    } else {
      if (i > -100) i = i - 1;
    }
  }
  if (positive && i <= 0) reach_error();
  if (!positive && i >= 0) reach_error();
  return 0;
}
