// The call that a variable asks for violates.
//# verdict: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct lock { int held; };
static void release(struct lock **l) { if ((*l)->held) reach_error(); }
static int work(struct lock *l) {
  struct lock *guard __attribute__((cleanup(release))) = l;
  l->held = 1;
  if (__VERIFIER_nondet_int() == 3) return -1;
  l->held = 0;
  return 0;
}
int main(void) {
  struct lock l = {0};
  return work(&l);
}
