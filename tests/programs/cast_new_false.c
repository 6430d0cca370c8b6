// New memory is one type's object, then another's: both have the same bytes.
//# call reach_error: FALSE
extern void reach_error(void);
extern void *malloc(unsigned long);
extern int __VERIFIER_nondet_int(void);
struct one { int a; int b; };
struct two { unsigned short low, high; int rest; };
int main(void) {
  void *p = malloc(8);
  struct one *x = p;
  x->a = __VERIFIER_nondet_int();
  struct two *y = p;
  y->high = 5;
  if (x->a == 0x50007) reach_error();
  return 0;
}
