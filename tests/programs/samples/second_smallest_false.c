// The smallest of many numbers is not below all of them. Only a path that goes through all of them shows it.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int numbers[30000];
int main(void) {
  for (int i = 0; i < 30000; i++) numbers[i] = __VERIFIER_nondet_int();
  int least = numbers[0];
  for (int i = 1; i < 30000; i++)
    if (numbers[i] < least) least = numbers[i];
  for (int i = 0; i < 30000; i++)
    if (numbers[i] <= least) reach_error();
  return 0;
}
