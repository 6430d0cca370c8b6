//# UNKNOWN: bytes beyond an object
// A shift carries a byte behind `c` down to the lowest one.
extern void reach_error(void);
int main(void) {
  char c = 50;
  void *p = &c;
  unsigned *wide = p;
  if ((char)(*wide >> 8) != 50) reach_error();
  return 0;
}
