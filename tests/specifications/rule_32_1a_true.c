//# rule: 32_1a
//# VERDICT: TRUE
struct mutex { int count; };
struct device { struct mutex lock; int open; };
extern void mutex_lock(struct mutex *), mutex_unlock(struct mutex *);
extern int mutex_lock_interruptible(struct mutex *), mutex_trylock(struct mutex *), mutex_is_locked(struct mutex *);
// An instrumented wrapper and what it wraps are one operation.
void ldv_mutex_lock_7(struct mutex *m) { mutex_lock(m); }
struct device device;

int main(void) {
    struct device *d = &device;
    if (mutex_lock_interruptible(&d->lock))
        return -4;
    d->open++;
    mutex_unlock(&device.lock);
    if (mutex_trylock(&d->lock))
        mutex_unlock(&d->lock);
    ldv_mutex_lock_7(&d->lock);
    if (!mutex_is_locked(&d->lock))
        return 1;
    mutex_unlock(&d->lock);
    return 0;
}
