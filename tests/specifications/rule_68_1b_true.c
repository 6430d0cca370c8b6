//# rule: 68_1b
//# VERDICT: TRUE
struct usb_device;
extern void *usb_alloc_coherent(struct usb_device *, unsigned long, unsigned, unsigned long *);
extern void usb_free_coherent(struct usb_device *, unsigned long, void *, unsigned long);

int main(void) {
    unsigned long dma = 0;
    void *buffer = usb_alloc_coherent(0, 64, 208, &dma);
    if (buffer)
        usb_free_coherent(0, 64, buffer, dma);
    return 0;
}
