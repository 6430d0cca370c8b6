// What the function returns that the pointer from outside points to is not known.
//# UNKNOWN: depends on the result of a call of a function that is not known (call target, not modelled)
//# FALSE: --set invented.target=input
extern void reach_error(void);
extern int (*handler)(int);

int main(void) {
  if (handler(1) == 2)
    reach_error();
  return 0;
}
