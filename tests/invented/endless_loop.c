// Nothing that the violation depends on is in the loop, which never ends: odd numbers are not 0.
//# TRUE:
extern void reach_error(void);

int main(void) {
  unsigned step = 1;
  while (step != 0)
    step += 2;
  reach_error();
  return 0;
}
