// The result is used, and the violation has nothing to do with it.
//# FALSE:
extern void reach_error(void);
extern int wcwidth(int);
extern int sensor(void);

int main(void) {
  int wide = 0;
  if (wcwidth('a') > 1)
    wide++;
  int columns = wide * 2;
  if (sensor() == 17)
    reach_error();
  return columns;
}
