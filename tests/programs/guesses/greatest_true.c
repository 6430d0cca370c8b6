// The greatest element of an array of any length, which comes from its end.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned length = __VERIFIER_nondet_uint();
  if (length == 0 || length > 1000000) return 1;
  int numbers[length];
  for (unsigned i = 0; i < length; i++) numbers[i] = __VERIFIER_nondet_int();
  int most = numbers[0];
  for (unsigned i = 0; i < length; i++)
    if (numbers[i] > most) most = numbers[i];
  for (unsigned i = 0; i < length; i++)
    if (numbers[i] > most) reach_error();
  return 0;
}
