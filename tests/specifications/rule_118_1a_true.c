//# rule: 118_1a
//# VERDICT: TRUE
typedef struct { int raw; } rwlock_t;
extern void read_lock(rwlock_t *), read_unlock(rwlock_t *), write_lock_irq(rwlock_t *), write_unlock_irq(rwlock_t *);
extern int write_trylock(rwlock_t *);
rwlock_t l;

int main(void) {
    read_lock(&l);
    read_lock(&l);
    read_unlock(&l);
    read_unlock(&l);
    write_lock_irq(&l);
    if (write_trylock(&l))
        write_lock_irq(&l);
    write_unlock_irq(&l);
    return 0;
}
