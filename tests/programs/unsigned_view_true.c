//# call reach_error: TRUE
// `level` is written as an unsigned number and read as a signed one.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int level = -30;
int phase;
int main(void) {
  while (__VERIFIER_nondet_int()) {
    unsigned *view = (unsigned *)&level;
    if (phase) {
      *view = -31;
      phase = 0;
    } else {
      *view = -32;
      phase = 1;
    }
  }
  if (phase && level != -32) reach_error();
  return 0;
}
