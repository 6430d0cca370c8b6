// A call through a null pointer is undefined: nothing comes behind it.
//# verdict: TRUE
extern void reach_error(void);
int main(void) { void (*f)(void) = 0; f(); reach_error(); return 0; }
