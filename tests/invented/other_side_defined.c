// Both sides of the branch are defined: it does not matter which way the execution goes.
//# FALSE:
extern void reach_error(void);
extern int fnmatch(const char *, const char *, int);
int seen[4];

int main(void) {
  int x = 0;
  if (fnmatch("a", "b", 0) == 1) {
    seen[2] = 10 / 3;
    x = seen[1] + 1;
  }
  reach_error();
  return x;
}
