// A pointer from outside may reach a member as a scalar of its own: the proof rests on types, and the ledger says so. Native runs do not get there.
//# verdict: TRUE
//# ledger: strict aliasing!
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct queue { int n; long x; };
int main(void) {
  struct queue *q;
  long *p;
  if (__VERIFIER_nondet_int() == 1000 && q->x != 0) {
    *p = 0;
    if (q->x == 0) reach_error();
  }
  return 0;
}
