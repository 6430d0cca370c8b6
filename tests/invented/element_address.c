// The address of an element whose number is invented.
//# UNKNOWN: a violation depends on the result of `fnmatch()`
extern void reach_error(void);
extern int fnmatch(const char *, const char *, int);
int a[100];

int main(void) {
  unsigned number = fnmatch("a", "b", 0);
  int *p = &a[number % 100u];
  *p = 1;
  if (a[3] == 0)
    reach_error();
  return 0;
}
