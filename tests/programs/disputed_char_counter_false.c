// Disputed: a round counter of type char in a protocol that runs for ever. The property "whoever has seen eight rounds knows the leader" holds for
// mathematical integers. The conversion to char wraps 128 to -128 (implementation-defined, and what gcc does), and the counter says less than
// eight rounds again although a leader is known.
//# data-model ILP32
//# call reach_error: FALSE
extern void reach_error(void);

int main(void) {
  char rounds = 0;
  char leaders = 0;
  while (1) {
    rounds = (char)(rounds + 1);
    if (rounds == 8)
      leaders = 1;
    if (leaders == 1 && rounds < 8)
      reach_error();
  }
}
