// The last element may be found last.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a[900], i;
  for (i = 0; i < 899; i++) a[i] = __VERIFIER_nondet_int();
  a[899] = -1;
  i = 0;
  while (a[i] != -1) i++;
  if (i == 3) reach_error();
  return 0;
}
