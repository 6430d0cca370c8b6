// The invented value is in memory, where an execution with chosen inputs could take it for an input.
//# call reach_error: UNKNOWN
extern void reach_error(void);
extern int swprintf(int *, unsigned long, const int *, ...);
int main(void) {
  unsigned sum = 0;
  int text[20];
  int form[2] = {65, 0};
  for (int i = 0; i < 60000; i++) sum += i;
  swprintf(text, 20, form);
  if (text[3] == 0) reach_error();
  return sum == 5;
}
