// Registered functions run last first, those that they register come next, and all after main.
//# call reach_error: TRUE
extern void reach_error(void);
extern int atexit(void (*function)(void));
extern int __VERIFIER_nondet_int(void);
extern void exit(int);
static int step;
static void expect(int at) {
  if (step != at) reach_error();
  step++;
}
static void last(void) { expect(4); }
static void first(void) { expect(2); }
static void between(void) { expect(3); }
static void early(void) {
  expect(1);
  if (atexit(between) != 0) reach_error();
  atexit(first);
}
int main(void) {
  void (*table[2])(void) = {last, early};
  atexit(table[0]);
  atexit(table[1]);
  expect(0);
  if (__VERIFIER_nondet_int()) exit(1);
  return 0;
}
