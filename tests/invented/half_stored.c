// A value that is stored is rounded, whatever the processor has.
//# FALSE:
extern void reach_error(void);

int main(void) {
  _Float16 h = 2048, one = 1;
  h = h + one;
  h += one;
  if (h == 2048) reach_error();
  return 0;
}
