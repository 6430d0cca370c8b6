// The first element never moves.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int list[500];
  int at, hole, item;
  for (at = 0; at < 500; at++) list[at] = __VERIFIER_nondet_int();
  for (at = 1; at < 500; at++) {
    item = list[at];
    hole = at - 1;
    while (hole > 0 && list[hole] > item) {
      list[hole + 1] = list[hole];
      hole--;
    }
    list[hole + 1] = item;
  }
  for (at = 1; at < 500; at++)
    if (list[at - 1] > list[at]) reach_error();
  return 0;
}
