// A function without a model may write through its argument, which is marked.
//# TRUE: library function!
extern void reach_error(void);
extern int sigpending(unsigned long *);

int main(void) {
  unsigned long pending = 0;
  sigpending(&pending);
  if (pending)
    reach_error();
  return 0;
}
