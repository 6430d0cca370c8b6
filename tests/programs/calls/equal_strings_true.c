// Whether equal literals are one object is assumed; arrays with equal contents are not.
//# verdict: TRUE
//# ledger: fixed addresses!
extern void reach_error(void);
static const char one[] = "one", other[] = "one";
int main(void) {
  const char *a = "one", *b = "one";
  int *wide = (int *)L"one";
  if (a != b || one == other || one == a || wide[0] != 'o') reach_error();
  return 0;
}
