//# call reach_error: TRUE
// The invariant speaks of a quotient that is rounded.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  unsigned ticket = 3;
  while (__VERIFIER_nondet_int()) ticket += 4;
  if (ticket % 4 != 3) reach_error();
  return 0;
}
