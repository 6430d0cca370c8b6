// Which conversions the format has is not in plain sight: the ledger says what is taken for granted.
//# verdict: TRUE
//# ledger: library model!
extern void reach_error(void);
extern int sscanf(const char *, const char *, ...);
const char *formats[] = {"%d", "%u"};
int main(void) {
  int number = 1;
  sscanf("7", formats[1], &number);
  if (number != 7) reach_error();
  return 0;
}
