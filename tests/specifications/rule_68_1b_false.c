//# rule: 68_1b
//# VERDICT: FALSE
struct usb_device;
extern void *ldv_usb_alloc_coherent_1(struct usb_device *, unsigned long, unsigned, unsigned long *);
extern void usb_free_coherent(struct usb_device *, unsigned long, void *, unsigned long);

int main(void) {
    unsigned long dma = 0;
    void *buffer = ldv_usb_alloc_coherent_1(0, 64, 208, &dma);
    usb_free_coherent(0, 64, &dma, dma);
    return buffer != 0;
}
