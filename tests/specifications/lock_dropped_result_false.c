//# spec: lock.spc
//# VERDICT: FALSE
struct lock { int owner; };
extern int try_acquire(struct lock *);

int main(void) {
    struct lock a;
    try_acquire(&a);
    return 0;
}
