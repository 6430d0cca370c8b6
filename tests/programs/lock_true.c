// A lock is taken and released alternately.
//# label ERROR: TRUE
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int locked = 0, old, new;
    do {
        if (locked)
            goto ERROR;
        locked = 1;
        old = new = __VERIFIER_nondet_int();
        if (__VERIFIER_nondet_int()) {
            locked = 0;
            new++;
        }
    } while (new != old);
    if (!locked)
        goto ERROR;
    return 0;
ERROR:
    return 1;
}
