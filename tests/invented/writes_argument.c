// A function without a model may write through its argument, which is marked.
//# TRUE: library function!
extern void reach_error(void);
extern int getgroups(int, unsigned *);

int main(void) {
  unsigned group = 0;
  getgroups(1, &group);
  if (group)
    reach_error();
  return 0;
}
