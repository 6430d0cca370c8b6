// Destructors run after what atexit registered, in the reverse order of constructors.
//# verdict: TRUE
extern void reach_error(void);
extern int atexit(void (*)(void));
extern void exit(int);
static int trace;
__attribute__((destructor(101))) static void last(void) { if (trace != 12345) reach_error(); }
__attribute__((destructor(102))) static void fifth(void) { trace = trace * 10 + 5; }
__attribute__((destructor)) static void fourth(void) { trace = trace * 10 + 4; }
__attribute__((destructor)) static void third(void) { trace = trace * 10 + 3; }
static void second(void) { trace = trace * 10 + 2; }
static void first(void) { trace = trace * 10 + 1; }
__attribute__((constructor)) static void early(void) { atexit(second); }
int main(int argc, char **argv) {
  atexit(first);
  if (argc > 2) exit(1);
  return 0;
}
