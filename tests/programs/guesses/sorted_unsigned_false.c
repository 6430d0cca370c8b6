// The last element is not inserted.
//# call reach_error: FALSE
//# data-model ILP32
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned count = __VERIFIER_nondet_uint();
  int value[count], at, hole;
  for (at = 1; at + 1 < count; at++) {
    int item = value[at];
    hole = at - 1;
    while (hole >= 0 && value[hole] > item) {
      value[hole + 1] = value[hole];
      hole = hole - 1;
    }
    value[hole + 1] = item;
  }
  for (at = 1; at < count; at++)
    if (value[at - 1] > value[at]) reach_error();
  return 0;
}
