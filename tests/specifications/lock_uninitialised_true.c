//# spec: lock.spc
//# VERDICT: TRUE
struct lock;
extern void acquire(struct lock *);
extern void release(struct lock *);

int main(void) {
    struct lock *a, *b;
    acquire(a);
    acquire(b);
    release(a);
    release(b);
    return 0;
}
