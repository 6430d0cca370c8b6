//# rule: 118_1a
//# VERDICT: FALSE
typedef struct { int raw; } rwlock_t;
extern void ldv_read_lock_2(rwlock_t *), read_unlock(rwlock_t *);
extern int write_trylock(rwlock_t *);
rwlock_t l;

int main(void) {
    if (write_trylock(&l))
        ldv_read_lock_2(&l);
    return 0;
}
