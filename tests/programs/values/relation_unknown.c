// Two variables are equal, whatever they are: no constants show that, but a predicate does.
//# label A: TRUE
//# label B: FALSE
//# value A: UNKNOWN
//# value B: FALSE
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = x;
    while (__VERIFIER_nondet_int()) {
        if (x != y) { A: return 1; }
        x = y = __VERIFIER_nondet_int();
    }
    if (x == y) { B: return 2; }
    return 0;
}
