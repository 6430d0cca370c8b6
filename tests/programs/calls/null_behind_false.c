// A violation before a call through a null pointer stands.
//# verdict: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct operations {
  int (*open)(int);
  int (*close)(void);
};
static int n;
static int grow(int a) { return n += a; }
static struct operations table = {.open = grow};
int main(void) {
  struct operations *p = &table;
  int r = p->open(3);
  if (__VERIFIER_nondet_int() == 2 && r == 3) reach_error();
  p->close();
  return n;
}
