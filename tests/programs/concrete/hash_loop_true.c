//# call reach_error: TRUE
// A loop of constants.
extern void reach_error(void);
int main(void) {
  unsigned s = 0;
  for (unsigned i = 0; i < 200000u; i++) {
    s += i ^ (s >> 3);
  }
  if (s == 12345) reach_error();
  return 0;
}
