// A copy from the other end: the number of an element counts down in one array.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int left[10000], right[10000];
  for (int i = 0; i < 10000; i++) left[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 10000; i++) right[9999 - i] = left[i];
  for (int i = 0; i < 10000; i++)
    if (right[9999 - i] != left[i]) reach_error();
  return 0;
}
