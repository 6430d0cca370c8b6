//# spec: flags.spc
//# VERDICT: FALSE
typedef unsigned long size_t;
enum { GFP_ATOMIC = 32 };
extern void *kmalloc(size_t size, int flags);
extern void kfree(void *p);
struct { int unused; int level; } interrupt;

int main(void) {
    interrupt.level = 2;
    kfree(kmalloc(8, GFP_ATOMIC));
    return 0;
}
