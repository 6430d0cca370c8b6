// Constructors run before main in the order of their priorities, then in that of their definitions.
//# verdict: TRUE
extern void reach_error(void);
static int trace;
static void second(void) __attribute__((constructor(110)));
__attribute__((constructor)) static void third(void) { trace = trace * 10 + 3; }
__attribute__((constructor(102))) static void first(void) { trace = trace * 10 + 1; }
static void second(void) { trace = trace * 10 + 2; }
__attribute__((constructor)) static void fourth(void) { trace = trace * 10 + 4; }
int main(void) {
  if (trace != 1234) reach_error();
  return 0;
}
