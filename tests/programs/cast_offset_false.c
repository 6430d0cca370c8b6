// A number of bytes is added to an address while it is an integer: the second member is written.
//# call reach_error: FALSE
extern void reach_error(void);
struct outer { int a; int b; };
struct box { int v; };
int main(void) {
  struct outer o = {0, 0};
  unsigned long n = (unsigned long)&o;
  unsigned long m = n + 4;
  struct box *p = (struct box *)m;
  p->v = 3;
  if (o.b == 3) reach_error();
  return 0;
}
