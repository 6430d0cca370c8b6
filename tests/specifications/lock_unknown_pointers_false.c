//# spec: lock.spc
//# VERDICT: FALSE
struct lock;
extern void *__VERIFIER_nondet_pointer(void);
extern void acquire(struct lock *);
extern void release(struct lock *);

int main(void) {
    struct lock *a = __VERIFIER_nondet_pointer();
    struct lock *b = __VERIFIER_nondet_pointer();
    acquire(a);
    acquire(b);
    release(a);
    release(b);
    return 0;
}
