//# FALSE:
// The bytes behind `c` are read with it, and cut off: neither a conversion nor a sum carries them down to the lowest byte.
extern void reach_error(void);
int main(void) {
  char c = 50;
  void *p = &c;
  unsigned *wide = p;
  if ((char)(*wide * 2 + 1) == 101) reach_error();
  return 0;
}
