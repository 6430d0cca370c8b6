//# rule: 132_1a
//# VERDICT: FALSE
struct usb_device;
struct interface { struct usb_device *device; };
extern struct usb_device *usb_get_dev(struct usb_device *);
extern void usb_put_dev(struct usb_device *);
extern int __VERIFIER_nondet_int(void);
struct interface interface;

int main(void) {
    interface.device = usb_get_dev(interface.device);
    if (__VERIFIER_nondet_int())
        return -12;
    usb_put_dev(interface.device);
    return 0;
}
