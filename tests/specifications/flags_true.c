//# spec: flags.spc
//# VERDICT: TRUE
typedef unsigned long size_t;
enum { GFP_KERNEL = 16, GFP_ATOMIC = 32 };
extern void *kmalloc(size_t size, int flags);
extern void kfree(void *p);
struct { int unused; int level; } interrupt;

int main(void) {
    void *p = kmalloc(8, GFP_KERNEL);
    kfree(p);
    (&interrupt)->level = 2;
    p = kmalloc(8, GFP_ATOMIC);
    if (p)
        kfree(p);
    interrupt.level = 1;
    p = kmalloc(8, GFP_KERNEL);
    kfree(p);
    return 0;
}
