// The first violation depends on an invented value, the second does not.
//# FALSE:
extern void reach_error(void);
extern int wcwidth(int);
extern int sensor(void);

int main(void) {
  if (wcwidth('a') == 7)
    reach_error();
  if (sensor() == 7)
    reach_error();
  return 0;
}
