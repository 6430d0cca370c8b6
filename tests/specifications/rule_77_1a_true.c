//# rule: 77_1a
//# VERDICT: TRUE
struct usb_device;
extern void usb_lock_device(struct usb_device *), usb_unlock_device(struct usb_device *);
extern int usb_lock_device_for_reset(struct usb_device *, void *);
extern void *kmalloc(unsigned long, unsigned);

int main(void) {
    usb_lock_device(0);
    kmalloc(4, 16);
    usb_unlock_device(0);
    if (usb_lock_device_for_reset(0, 0) == 0) {
        kmalloc(4, 32);
        usb_unlock_device(0);
    } else
        kmalloc(4, 208);
    return 0;
}
