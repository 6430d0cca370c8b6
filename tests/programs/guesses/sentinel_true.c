// The last element ends a search.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a[900], i;
  for (i = 0; i < 899; i++) a[i] = __VERIFIER_nondet_int();
  a[899] = -1;
  i = 0;
  while (a[i] != -1) i++;
  if (i > 899) reach_error();
  return 0;
}
