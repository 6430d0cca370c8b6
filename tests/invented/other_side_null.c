// The branch does not matter to the violation, but its other side ends the program: which way the real one goes, nobody knows.
//# UNKNOWN: a violation depends on the result of `fnmatch()`
extern void reach_error(void);
extern int fnmatch(const char *, const char *, int);
int *nowhere;

int main(void) {
  int x = 0;
  if (fnmatch("a", "b", 0) == 1)
    x = *nowhere;
  reach_error();
  return x;
}
