//# spec: flags.spc
//# VERDICT: FALSE
typedef unsigned long size_t;
enum { GFP_KERNEL = 16, GFP_ATOMIC = 32 };
extern void *kmalloc(size_t size, int flags);
extern void kfree(void *p);
struct { int unused; int level; } interrupt;

static void *make(int flags) { return kmalloc(8, flags); }

int main(void) {
    make(GFP_KERNEL);
    interrupt.level = 2;
    make(GFP_ATOMIC);
    make(GFP_KERNEL);
    return 0;
}
