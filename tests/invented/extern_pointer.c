// A pointer that another file owns may point to an object of this one. It is taken not to, which is marked.
//# TRUE: memory!
extern void reach_error(void);
extern int *shared;
int value;

int main(void) {
  value = 1;
  *shared = 2;
  if (value == 2)
    reach_error();
  return 0;
}
