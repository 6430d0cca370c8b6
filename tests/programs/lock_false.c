// The lock is left without being released on one way.
//# label ERROR: FALSE
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int locked = 0, rounds = 0;
    while (rounds < 2) {
        if (locked)
            goto ERROR;
        locked = 1;
        if (__VERIFIER_nondet_int() != 4)
            locked = 0;
        rounds++;
    }
    return 0;
ERROR:
    return 1;
}
