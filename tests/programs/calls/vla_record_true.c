// Records with members of variable size: where the members behind them lie, copies, arrays, unions.
//# verdict: TRUE
#define offset(object, member) ((char *)&(object).member - (char *)&(object))
extern void reach_error(void);
int main(void) {
  int n = 3;
  struct s { char head; short data[n]; int tail; char last; } a, b;
  n = 9;
  a.head = 1;
  for (int i = 0; i < 3; i++) a.data[i] = i + 5;
  a.tail = 77;
  a.last = 'x';
  if (sizeof a != 16 || offset(a, data) != 2 || offset(a, tail) != 8 || offset(a, last) != 12) reach_error();
  b = a;
  a.tail = 0;
  a.data[2] = 0;
  if (b.tail != 77 || b.last != 'x' || b.data[2] != 7 || b.head != 1) reach_error();
  struct s list[2];
  list[1] = b;
  list[0] = list[1];
  if (sizeof list != 32 || list[0].tail != 77 || list[1].data[0] != 5) reach_error();
  union u { char c[n]; int i; } u;
  u.c[8] = 3;
  if (sizeof u != 12 || u.c[8] != 3) reach_error();
  struct outer { struct s in; long end; } o;
  o.end = -1;
  o.in = list[0];
  if (sizeof o != 24 || offset(o, end) != 16 || o.end != -1 || o.in.data[1] != 6 || o.in.tail != 77) reach_error();
  struct s *p = &o.in;
  p->tail++;
  if (o.in.tail != 78) reach_error();
  return 0;
}
