// The check runs before the function that was registered earlier has changed what it reads.
//# call reach_error: FALSE
extern void reach_error(void);
extern int atexit(void (*function)(void));
static int closed;
static void close_all(void) { closed = 1; }
static void check(void) {
  if (!closed) reach_error();
}
int main(void) {
  atexit(close_all);
  atexit(check);
  return 0;
}
