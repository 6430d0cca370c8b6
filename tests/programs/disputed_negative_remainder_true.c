// Disputed: whether a counter leaves its range depends on the sign of a remainder. In C division truncates, so that -477067 % 89 is -27 and the
// result 179. Expectations that say 268 have the remainder of mathematics in mind, which is never negative.
//# data-model ILP32
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
  int level = 23;
  level = ((level - 287698) - 189392) % 89 + 206;
  if (level > 218)
    reach_error();
  return 0;
}
