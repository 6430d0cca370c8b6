//# rule: 132_1a
//# VERDICT: TRUE
struct usb_device;
extern struct usb_device *usb_get_dev(struct usb_device *);
extern void usb_put_dev(struct usb_device *);
extern struct usb_device *__VERIFIER_nondet_pointer(void);

int main(void) {
    struct usb_device *d = usb_get_dev(__VERIFIER_nondet_pointer());
    if (d)
        usb_put_dev(d);
    usb_put_dev(0);
    return 0;
}
