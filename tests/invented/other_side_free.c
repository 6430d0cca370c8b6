// As with a pointer: the other side frees an object a second time.
//# UNKNOWN: a violation depends on the result of `fnmatch()`
extern void reach_error(void);
extern int fnmatch(const char *, const char *, int);
extern void free(void *);
extern void *malloc(unsigned long);

int main(void) {
  char *p = malloc(3);
  free(p);
  if (fnmatch("a", "b", 0) == 1)
    free(p);
  reach_error();
  return 0;
}
