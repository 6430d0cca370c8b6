// A destructor that violates runs when the program calls exit.
//# verdict: FALSE
extern void reach_error(void);
extern void exit(int);
extern int __VERIFIER_nondet_int(void);
static int state;
__attribute__((destructor)) static void check(void) { if (state == 2) reach_error(); }
int main(void) {
  if (__VERIFIER_nondet_int() == 1) { state = 2; exit(0); }
  return 0;
}
