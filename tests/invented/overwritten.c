// The variable holds an invented value first, and an input where it decides.
//# FALSE:
extern void reach_error(void);
extern int wcwidth(int);
extern int sensor(void);

int main(void) {
  int level = wcwidth('a');
  level = sensor();
  if (level == 3)
    reach_error();
  return 0;
}
