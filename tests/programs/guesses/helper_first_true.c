// The proof is about a part of the program, in which calls and edges have other numbers: nothing else of the program is about them.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int unused(int x) {
  for (int i = 0; i < x; i++)
    if (i == 77) return i;
  return x;
}
static int limited(int x) { return x > 9 ? 9 : x; }
int main(void) {
  int y = unused(__VERIFIER_nondet_int());
  int number[5000];
  for (int i = 0; i < 5000; i++) number[i] = limited(__VERIFIER_nondet_int());
  for (int i = 0; i < 5000; i++)
    if (number[i] > 9) reach_error();
  return y;
}
