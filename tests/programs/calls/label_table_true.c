// A table of labels in one function, and another function behind it: the labels are those of the function in which the table stands.
//# verdict: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int run(const unsigned char *code, int x) {
  static void *const steps[3] = {&&end, &&add, &&twice};
  goto *steps[*code];
add:
  x += 3;
  goto *steps[*++code];
twice:
  x *= 2;
  goto *steps[*++code];
end:
  return x;
}

static int limited(int x) {
  if (x > 30) goto high;
  return x;
high:
  return 30;
}

int main(void) {
  unsigned char code[4] = {1, 2, 1, 0};
  int x = __VERIFIER_nondet_int() & 15;
  int result = run(code, x);
  if (limited(result) == 16) reach_error();
  return 0;
}
