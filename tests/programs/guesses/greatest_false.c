// The first element is left out of the search.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int numbers[1000];
  for (int i = 0; i < 1000; i++) numbers[i] = i % 7;
  numbers[0] = __VERIFIER_nondet_int();
  int most = numbers[1];
  for (int i = 1; i < 1000; i++)
    if (numbers[i] > most) most = numbers[i];
  for (int i = 0; i < 1000; i++)
    if (numbers[i] > most) reach_error();
  return 0;
}
