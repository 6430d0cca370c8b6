// The write on the other side decides whether a later division is defined.
//# UNKNOWN: a violation depends on the result of `fnmatch()`
extern void reach_error(void);
extern int fnmatch(const char *, const char *, int);

int main(void) {
  int parts = 4;
  if (fnmatch("a", "b", 0) == 1)
    parts = 0;
  int ratio = 10 / parts;
  reach_error();
  return ratio;
}
