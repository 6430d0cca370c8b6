//# rule: 43_1a
//# VERDICT: FALSE
typedef struct { int raw; } spinlock_t;
extern void spin_lock(spinlock_t *), spin_unlock(spinlock_t *);
extern void *kmalloc(unsigned long, unsigned);
spinlock_t a, b;

int main(void) {
    spin_lock(&a);
    spin_lock(&b);
    spin_unlock(&a);
    kmalloc(4, 208);
    spin_unlock(&b);
    return 0;
}
