// Flexible array members that an initialiser fills (GNU). verdict: TRUE
extern void reach_error(void);
static void check(int holds) { if (!holds) reach_error(); }
struct s { int i; char c[]; } s = { 1, "01234" }, t = { 2, { 5, 6, 7 } };
int after = 77;
int main(void) { check(s.c[2] == '2'); check(s.c[4] == '4'); check(s.c[5] == 0); check(t.c[2] == 7); check(after == 77 && t.i == 2); 
  static struct s u = { 3, "abcdefghijklmnopqrstuvwxyz" }; check(u.c[25] == 'z');
  check(__builtin_object_size(&s.c, 0) == 6); return 0; }
