// As with a pointer: the other side divides by zero, in a callee.
//# UNKNOWN: a violation depends on the result of `fnmatch()`
extern void reach_error(void);
extern int fnmatch(const char *, const char *, int);
int zero, ratio;

static void share(void) {
  ratio = 10 / zero;
}

int main(void) {
  if (fnmatch("a", "b", 0) == 1)
    share();
  reach_error();
  return 0;
}
