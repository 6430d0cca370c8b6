// The last element that is looked at is not the one that was copied.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int from[30000], to[30000], at, slow = 0;
  for (at = 0; at < 30000; at++) from[at] = __VERIFIER_nondet_int();
  for (at = 2; at < 30000; at += 6) {
    to[slow] = from[at];
    slow++;
  }
  slow = 0;
  for (at = 2; at < 30000; at += 6) {
    if (to[slow] != from[slow < 4999 ? 6 * slow + 2 : 0]) reach_error();
    slow++;
  }
  return 0;
}
