// The default is taken for everything that no case names, the greatest number included.
//# call reach_error: FALSE
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned char c = __VERIFIER_nondet_uchar();
    switch (c) {
    case 0: case 1: case 2:
        return 0;
    default:
        if (c > 254)
            reach_error();
    }
    return 0;
}
