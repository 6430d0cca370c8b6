// The real result may be the one for which the division is undefined.
//# UNKNOWN: a violation depends on the result of `fnmatch()`
extern void reach_error(void);
extern int fnmatch(const char *, const char *, int);

int main(void) {
  int ratio = 10 / (fnmatch("a", "b", 0) - 1);
  reach_error();
  return ratio;
}
