// The bytes behind the object belong to nobody.
//# UNKNOWN:
extern void reach_error(void);

int main(void) {
  short s = 1;
  int *wide = (int *)&s;
  if (*wide == 0x00070001)
    reach_error();
  return 0;
}
