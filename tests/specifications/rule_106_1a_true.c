//# rule: 106_1a
//# VERDICT: TRUE
extern int class_register(void *), register_chrdev_region(unsigned, unsigned, const char *), usb_gadget_probe_driver(void *);
extern void class_unregister(void *), unregister_chrdev_region(unsigned, unsigned), usb_gadget_unregister_driver(void *);

int main(void) {
    if (class_register(0) < 0)
        return -1;
    if (register_chrdev_region(1, 1, "x") < 0)
        goto class;
    if (usb_gadget_probe_driver(0) < 0)
        goto device;
    usb_gadget_unregister_driver(0);
device:
    unregister_chrdev_region(1, 1);
class:
    class_unregister(0);
    return 0;
}
