// Nothing that the violation depends on is divided, but the behaviour is undefined before it.
//# UNKNOWN:
extern void reach_error(void);
extern int sensor(void);

int main(void) {
  int zero = sensor() * 0;
  int ratio = 5 / zero;
  (void)ratio;
  reach_error();
  return 0;
}
