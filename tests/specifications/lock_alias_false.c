//# spec: lock.spc
//# VERDICT: FALSE
struct lock { int owner; };
extern void acquire(struct lock *);
extern void release(struct lock *);

int main(void) {
    struct lock a, b;
    struct lock *p = &b;
    struct lock **q = &p;
    *q = &a;
    acquire(&a);
    acquire(p);
    return 0;
}
