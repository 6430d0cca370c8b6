//# rule: 77_1a
//# VERDICT: FALSE
struct usb_device;
extern void usb_unlock_device(struct usb_device *);
extern int usb_trylock_device(struct usb_device *);
extern void *vmalloc(unsigned long);

int main(void) {
    if (usb_trylock_device(0)) {
        vmalloc(4);
        usb_unlock_device(0);
    }
    return 0;
}
