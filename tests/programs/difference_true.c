//# call reach_error: TRUE
// Differences of variables: of values, of what was decremented, and of what the difference was made from.
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  int a = __VERIFIER_nondet_uchar();
  int b = __VERIFIER_nondet_uchar();
  int d = a - b;
  if (d > 255 || d < -255) reach_error();
  int e = b - a;
  if (d + e != 0) reach_error();
  if (a > b && d <= 0) reach_error();
  return 0;
}
