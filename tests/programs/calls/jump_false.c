// What follows the second return of setjmp is reached.
//# verdict: FALSE
#include <setjmp.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static jmp_buf failed;
static void check(int v) { if (v == 3) longjmp(failed, 2); }
int main(void) {
  if (setjmp(failed) == 2) reach_error();
  check(__VERIFIER_nondet_int());
  return 0;
}
