// Whether an address fits 32 bits is up to the linker.
//# TRUE: fixed addresses!
extern void reach_error(void);
static int object;

int main(void) {
  int *low = (int *)(unsigned long)(unsigned)(unsigned long)&object;
  if (low != &object)
    reach_error();
  return 0;
}
