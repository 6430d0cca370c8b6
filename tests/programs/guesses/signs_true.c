// Elements that are written under a condition.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int number[9000];
  char negative[9000];
  for (int i = 0; i < 9000; i++) number[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 9000; i++) {
    if (number[i] < 0) negative[i] = 1;
    else negative[i] = 0;
  }
  for (int i = 0; i < 9000; i++) {
    if (negative[i] && number[i] >= 0) reach_error();
    if (!negative[i] && number[i] < 0) reach_error();
  }
  return 0;
}
