//# rule: 10_1a
//# VERDICT: TRUE
extern void irq_enter(void), irq_exit(void);
extern void *kmalloc(unsigned long, unsigned);
int LDV_IN_INTERRUPT = 1;

int main(void) {
    kmalloc(4, 208);
    irq_enter();
    kmalloc(4, 32);
    irq_exit();
    LDV_IN_INTERRUPT = 2;
    kmalloc(4, 0);
    LDV_IN_INTERRUPT = 1;
    kmalloc(4, 208);
    return 0;
}
