//# rule: 10_1a
//# VERDICT: FALSE
extern void irq_enter(void), irq_exit(void);
extern void *kcalloc(unsigned long, unsigned long, unsigned);

static void *make(unsigned flags) { return kcalloc(2, 4, flags); }

int main(void) {
    make(208);
    irq_enter();
    make(32);
    make(208);
    irq_exit();
    return 0;
}
