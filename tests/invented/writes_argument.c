// A function without a model may write through its argument.
//# UNKNOWN: depends on what `getgroups()` writes (library function, not modelled)
extern void reach_error(void);
extern int getgroups(int, unsigned *);

int main(void) {
  unsigned group = 0;
  getgroups(1, &group);
  if (group)
    reach_error();
  return 0;
}
