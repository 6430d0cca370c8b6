// Memory of the frame by size.
//# verdict: TRUE
extern void reach_error(void);
struct cell { struct cell *next; int v; };
static int chain(int n) {
  struct cell *first = 0;
  for (int i = 0; i < n; i++) {
    struct cell *c = __builtin_alloca(sizeof *c);
    c->v = i;
    c->next = first;
    first = c;
  }
  int sum = 0;
  for (; first; first = first->next) sum = sum * 10 + first->v;
  return sum;
}
int main(void) {
  if (chain(4) != 3210) reach_error();
  return 0;
}
