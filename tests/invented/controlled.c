// The value that decides is a constant, but an invented one decides which.
//# UNKNOWN: the result of `wcwidth()`
extern void reach_error(void);
extern int wcwidth(int);

int main(void) {
  int state = 0;
  if (wcwidth('a') == 2)
    state = 1;
  if (state)
    reach_error();
  return 0;
}
