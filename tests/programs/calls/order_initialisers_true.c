// Initialisers are evaluated in the order of the object, as gcc has it.
//# verdict: TRUE
//# ledger: evaluation order!
extern void reach_error(void);
static int count;
static int next(void) { return ++count; }
struct pair { int a, b; };
int main(void) {
  struct pair p = {.b = next(), .a = next()};
  if (p.a != 1 || p.b != 2) reach_error();
  int list[4] = {[2] = next(), 0, [0] = next(), [1] = next()};
  if (list[0] != 3 || list[1] != 4 || list[2] != 5) reach_error();
  struct { struct pair first, second; } both = {.second = {next(), next()}, .first = {next(), next()}};
  if (both.first.a != 6 || both.first.b != 7 || both.second.a != 8 || both.second.b != 9) reach_error();
  return 0;
}
