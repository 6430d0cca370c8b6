// The program ends before the violation, if an invented value says so.
//# UNKNOWN: the result of `wcwidth()`
extern void reach_error(void);
extern int wcwidth(int);
extern void exit(int);

int main(void) {
  if (wcwidth('a') == 1)
    exit(0);
  reach_error();
  return 0;
}
