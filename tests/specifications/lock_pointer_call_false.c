//# spec: lock.spc
//# VERDICT: FALSE
struct lock { int owner; };
void acquire(struct lock *l) { l->owner = 1; }
void release(struct lock *l) { l->owner = 0; }
struct operations { void (*begin)(struct lock *); void (*end)(struct lock *); };
struct operations operations = { acquire, release };

int main(void) {
    struct lock a;
    operations.begin(&a);
    operations.end(&a);
    operations.end(&a);
    return 0;
}
