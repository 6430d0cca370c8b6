//# rule: 32_1a
//# VERDICT: FALSE
struct mutex { int count; };
extern void mutex_lock(struct mutex *), mutex_unlock(struct mutex *);
extern int mutex_lock_interruptible(struct mutex *);
struct mutex a;

int main(void) {
    mutex_lock_interruptible(&a);
    mutex_unlock(&a);
    return 0;
}
