// All that a violation may rest on: results of functions of the environment, variables without a value, variables of others, parameters of the entry.
//# FALSE:
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern int sensor(void);
extern int limit;

int main(int count, char **arguments) {
  int memory;
  (void)arguments;
  if (__VERIFIER_nondet_int() == 3 && sensor() == 4 && memory == 5 && limit == 6 && count == 7)
    reach_error();
  return 0;
}
