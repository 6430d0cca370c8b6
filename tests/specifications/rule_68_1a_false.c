//# rule: 68_1a
//# VERDICT: FALSE
struct urb;
extern struct urb *usb_alloc_urb(int, unsigned);
extern void usb_free_urb(struct urb *);

int main(void) {
    struct urb *in = usb_alloc_urb(0, 208);
    if (!in)
        return -12;
    struct urb *out = usb_alloc_urb(0, 208);
    if (!out)
        return -12;
    usb_free_urb(out);
    usb_free_urb(in);
    return 0;
}
