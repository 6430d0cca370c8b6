// A long loop in front of a value that the model invents: an execution with a chosen one would prove nothing, and none is chosen.
//# call reach_error: UNKNOWN
extern void reach_error(void);
extern int swprintf(int *, unsigned long, const int *, ...);
int main(void) {
  unsigned sum = 0;
  int text[20];
  int form[2] = {65, 0};
  for (int i = 0; i < 60000; i++) sum += i;
  if (swprintf(text, 20, form) == 7) reach_error();
  return sum == 5;
}
