// What the object held moves with it.
//# TRUE:
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);

int main(void) {
  int *list = malloc(4);
  *list = 7;
  list = realloc(list, 4096);
  if (*list != 7)
    reach_error();
  return 0;
}
