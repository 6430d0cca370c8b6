//# call reach_error: TRUE
//# endless
// An execution that goes round for ever: the violation behind the loop is not reached.
extern void reach_error(void);
int main(void) {
  unsigned x = 1;
  while (x != 0) {
    x += 2;
    if (x > 1000001) x = 1;
  }
  reach_error();
  return 0;
}
