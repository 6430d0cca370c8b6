// Members are accessed by arithmetic over several variables, as programs do that other tools have taken apart.
//# call reach_error: TRUE
extern void reach_error(void);
extern void *malloc(unsigned long);
extern long __VERIFIER_nondet_long(void);
struct list { struct list *next; long value; };
static void set(struct list *l, long value) {
  unsigned long t = (unsigned long)l;
  unsigned long u = t + 8;
  *(long *)u = value;
}
int main(void) {
  struct list first, second;
  long n = __VERIFIER_nondet_long();
  first.next = &second;
  set(&first, n);
  set(&second, 7);
  if (first.value != n || first.next->value != 7) reach_error();
  return 0;
}
