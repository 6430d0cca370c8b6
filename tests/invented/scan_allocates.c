// The library's sources cannot write what this conversion writes; nothing says that the pointer stays null.
//# UNKNOWN: a violation depends on what `sscanf()` writes
extern void reach_error(void);
extern int sscanf(const char *, const char *, ...);

int main(void) {
  char *word = 0;
  int number = 1;
  sscanf("abc 7", "%ms %d", &word, &number);
  if (word != 0 && number == 7)
    reach_error();
  return 0;
}
