//# spec: lock.spc
//# VERDICT: TRUE
struct lock { int owner; };
extern void acquire(struct lock *);
extern void release(struct lock *);
extern int try_acquire(struct lock *);

static void with(struct lock *l) {
    acquire(l);
    release(l);
}

int main(void) {
    struct lock a, b;
    struct lock *p = &a;
    acquire(&a);
    acquire(&b);
    release(p);
    with(p);
    release(&b);
    if (try_acquire(&b))
        release(&b);
    return 0;
}
