//# rule: 134_1a
//# VERDICT: TRUE
extern int register_netdev(void *), usb_register_driver(void *, void *, const char *);

static int card_probe(void *card) {
    int error = register_netdev(card);
    if (error)
        return error;
    return 0;
}

int main(void) {
    if (usb_register_driver(0, 0, "card"))
        return 0;
    int (*probe)(void *) = card_probe;
    return probe(0);
}
