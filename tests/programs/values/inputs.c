// A state has constants until an input overwrites it.
//# label A: TRUE
//# label B: FALSE
//# value A: TRUE
//# value B: FALSE
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int state = 0, known = 1;
    while (__VERIFIER_nondet_int()) {
        if (known != 1) { A: return 1; }
        if (state == 5) { B: return 2; }
        state = __VERIFIER_nondet_int();
        known = known * 2 - 1;
    }
    return 0;
}
