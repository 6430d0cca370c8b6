// Two labels as targets: one is reached, the other is not.
//# label REACHED: FALSE
//# label MISSED: TRUE
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int state = 0;
    int n = __VERIFIER_nondet_int();
again:
    if (state == 2)
        goto REACHED;
    if (state == 7)
        goto MISSED;
    state++;
    if (n > 3)
        goto again;
    return 0;
REACHED:
    return 1;
MISSED:
    return 2;
}
