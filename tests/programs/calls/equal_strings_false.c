// Equal string literals are one object, as gcc has it; the language leaves it open.
//# verdict: FALSE
extern void reach_error(void);
static const char *name(void) { return "one"; }
int main(void) {
  const char *a = name(), *b = "one", *c = "two";
  if (a != c && a == b && b[2] == 'e') reach_error();
  return 0;
}
