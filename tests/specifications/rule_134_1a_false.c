//# rule: 134_1a
//# VERDICT: FALSE
extern int register_netdev(void *);

static int card_probe(void *card) {
    int error = register_netdev(card);
    if (error < 0)
        return error;
    return 0;
}

int main(void) { return card_probe(0); }
