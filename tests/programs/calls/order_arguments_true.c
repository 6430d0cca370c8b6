// Arguments are evaluated from the last to the first, as gcc does on x86; the ledger says that this is a choice.
//# verdict: TRUE
//# ledger: evaluation order!
extern void reach_error(void);
static int count;
static int next(void) { return ++count; }
static int join(int a, int b, int c) { return a * 100 + b * 10 + c; }
static int (*chosen)(int, int, int);
static int (*choose(void))(int, int, int) { count = 4; return join; }
int main(void) {
  if (join(next(), next(), next()) != 321) reach_error();
  if (join(count, next(), count) != 443) reach_error();
  if (choose()(next(), 0, next()) != 605) reach_error();
  return 0;
}
