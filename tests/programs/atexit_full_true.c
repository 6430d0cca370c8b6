// An abnormal end runs nothing, and a stack that is full takes no more.
//# call reach_error: TRUE
extern void reach_error(void);
extern int atexit(void (*function)(void));
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
static int calls;
static void count(void) { calls++; }
static void check(void) {
  if (calls != 31) reach_error();
}
int main(void) {
  if (__VERIFIER_nondet_int()) {
    calls = 7;
    atexit(check);
    abort();
  }
  atexit(check);
  for (int i = 0; i < 33; i++)
    if (atexit(count) != (i >= 31)) reach_error();
  return 0;
}
