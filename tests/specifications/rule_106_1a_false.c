//# rule: 106_1a
//# VERDICT: FALSE
extern int class_register(void *), register_chrdev_region(unsigned, unsigned, const char *);
extern void class_unregister(void *), unregister_chrdev_region(unsigned, unsigned);

int main(void) {
    if (class_register(0) < 0)
        return -1;
    if (register_chrdev_region(1, 1, "x") < 0) {
        class_unregister(0);
        return -1;
    }
    class_unregister(0);
    unregister_chrdev_region(1, 1);
    return 0;
}
