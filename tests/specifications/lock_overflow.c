//# spec: lock.spc
//# VERDICT: UNKNOWN (replay-undefined) a feasible path could not be replayed: the set `held` would hold more than 8 elements
struct lock { int owner; };
extern void acquire(struct lock *);
extern void release(struct lock *);

int main(void) {
    struct lock locks[9];
    acquire(&locks[0]); acquire(&locks[1]); acquire(&locks[2]);
    acquire(&locks[3]); acquire(&locks[4]); acquire(&locks[5]);
    acquire(&locks[6]); acquire(&locks[7]); acquire(&locks[8]);
    release(&locks[0]); release(&locks[1]); release(&locks[2]);
    release(&locks[3]); release(&locks[4]); release(&locks[5]);
    release(&locks[6]); release(&locks[7]); release(&locks[8]);
    return 0;
}
