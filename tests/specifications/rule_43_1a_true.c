//# rule: 43_1a
//# VERDICT: TRUE
typedef struct { int raw; } spinlock_t;
extern void spin_lock(spinlock_t *), spin_unlock(spinlock_t *);
extern unsigned long _raw_spin_lock_irqsave(spinlock_t *);
extern void _raw_spin_unlock_irqrestore(spinlock_t *, unsigned long);
extern int spin_trylock(spinlock_t *);
extern void *kmalloc(unsigned long, unsigned), *vmalloc(unsigned long);
spinlock_t a, b;

int main(void) {
    spin_lock(&a);
    unsigned long flags = _raw_spin_lock_irqsave(&b);
    kmalloc(4, 32);
    _raw_spin_unlock_irqrestore(&b, flags);
    kmalloc(4, 32);
    spin_unlock(&a);
    if (spin_trylock(&a))
        spin_unlock(&a);
    vmalloc(4096);
    return 0;
}
