// Writes through pointers: one that is known changes one cell, one that is not may change both.
//# label A: TRUE
//# label B: FALSE
//# value A: TRUE
//# value B: FALSE
extern int __VERIFIER_nondet_int(void);
int first, second;
int main(void) {
    int *p = &first, *q = __VERIFIER_nondet_int() ? &first : &second;
    while (__VERIFIER_nondet_int()) {
        second = 7;
        *p = 3;
        if (second != 7) { A: return 1; }
        *q = 4;
        if (first != 3) { B: return 2; }
    }
    return 0;
}
