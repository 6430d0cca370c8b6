// Which operand is read first, as gcc has it: a plain variable behind the call in operators that can be turned around, other objects before it.
//# verdict: TRUE
//# ledger: evaluation order!
extern void reach_error(void);
static int x, list[2], *at = list;
struct pair { int a, b; } first, *p = &first;
static int set(int v) { x = v; return 1; }
static int change(void) { list[0] = 50; first.a = 50; return 1; }
static int *move(void) { x = 1; return &list[1]; }
int main(void) {
  x = 1; if (x + set(10) != 11) reach_error();
  x = 1; int r = x - set(10); if (r != 0) reach_error();
  x = 1; if (set(10) + x != 11) reach_error();
  x = 1; if (x * 2 + set(10) != 3) reach_error();
  x = 1; if ((x == set(10)) != 0) reach_error();
  x = 5; if ((x > set(0)) != 0) reach_error();
  list[0] = 5; if (*at + change() != 6) reach_error();
  first.a = 5; if (p->a + change() != 6) reach_error();
  x = 3; x += set(10); if (x != 11) reach_error();
  list[0] = list[1] = x = 0; list[x] = *move() + 7; if (list[1] != 7) reach_error();
  list[0] = list[1] = x = 0; list[x] = set(1); if (list[0] != 1) reach_error();
  list[0] = list[1] = x = 0; list[x] += *move() + 7; if (list[1] != 7) reach_error();
  return 0;
}
