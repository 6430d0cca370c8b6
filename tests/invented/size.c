// How large the object is, nobody knows: so the write into it may be one outside of all objects.
//# UNKNOWN: a violation depends on the result of `fnmatch()`
extern void reach_error(void);
extern int fnmatch(const char *, const char *, int);
extern void *malloc(unsigned long);

int main(void) {
  unsigned bytes = fnmatch("a", "b", 0);
  char *p = malloc(bytes % 1000u + 1u);
  p[0] = 1;
  reach_error();
  return 0;
}
