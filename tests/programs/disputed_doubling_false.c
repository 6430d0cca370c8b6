// Disputed: a value that at least doubles in each round is expected to stay above the number of rounds. As an int it wraps around after 31
// rounds (undefined in C, two's complement under -fwrapv, which the ledger says): 2^31 - 1 doubled plus 1 is -1.
//# data-model ILP32
//# call reach_error: FALSE
extern void reach_error(void);

int main(void) {
  int steps = 1, rounds = 1;
  while (rounds < 33) {
    steps = 2 * steps + 1;
    rounds = rounds + 1;
  }
  if (steps < rounds)
    reach_error();
  return 0;
}
