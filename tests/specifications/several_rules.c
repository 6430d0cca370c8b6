//# rule: linux
//# PROPERTY 08_1a: TRUE
//# PROPERTY 10_1a: TRUE
//# PROPERTY 32_1a: FALSE
//# PROPERTY 43_1a: FALSE
//# PROPERTY 68_1a: TRUE
//# PROPERTY 68_1b: TRUE
//# PROPERTY 77_1a: TRUE
//# PROPERTY 101_1a: TRUE
//# PROPERTY 106_1a: TRUE
//# PROPERTY 118_1a: TRUE
//# PROPERTY 129_1a: TRUE
//# PROPERTY 132_1a: TRUE
//# PROPERTY 134_1a: TRUE
//# PROPERTY 147_1a: TRUE
//# VERDICT: FALSE
/* Several rules matter: modules and URBs are given back under the condition under which they were taken; a spin lock is held during one allocation; and the mutex is released twice, behind that. */
typedef struct { int raw; } spinlock_t;
struct mutex { int count; };
struct module { int id; };
struct urb { int id; };
extern void spin_lock(spinlock_t *), spin_unlock(spinlock_t *);
extern void mutex_lock(struct mutex *), mutex_unlock(struct mutex *);
extern int try_module_get(struct module *);
extern void module_put(struct module *);
extern struct urb *usb_alloc_urb(int, unsigned);
extern void usb_free_urb(struct urb *);
extern void *kmalloc(unsigned long, unsigned);
extern int __VERIFIER_nondet_int(void);
spinlock_t queue;
struct mutex big;
struct module *self;

static int step(int mode) {
    struct urb *urb = 0;
    int taken = 0;
    if (mode > 3)
        taken = try_module_get(self);
    if (mode > 1)
        urb = usb_alloc_urb(0, 208);
    mutex_lock(&big);
    kmalloc(8, mode > 0 ? 16 : 16);
    mutex_unlock(&big);
    if (urb)
        usb_free_urb(urb);
    if (taken)
        module_put(self);
    return mode - 1;
}

int main(void) {
    int mode = __VERIFIER_nondet_int();
    while (mode > 0 && __VERIFIER_nondet_int())
        mode = step(mode);
    spin_lock(&queue);
    if (mode == 2)
        kmalloc(4, 208);
    spin_unlock(&queue);
    if (mode == 2) {
        mutex_lock(&big);
        mutex_unlock(&big);
        mutex_unlock(&big);
    }
    return 0;
}
