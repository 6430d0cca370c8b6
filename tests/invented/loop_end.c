// The violation comes behind a loop that need not end: whether it does depends on an invented value, and on nothing else.
//# UNKNOWN: the result of `wcwidth()`
extern void reach_error(void);
extern int wcwidth(int);

int main(void) {
  unsigned rest = (unsigned)wcwidth('a');
  while (rest != 4)
    rest += 2;
  reach_error();
  return 0;
}
