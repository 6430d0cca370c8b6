// The example of Beyer, Löwe and Wendler, Refinement selection, SPIN 2015, Figure 1: the flag rules the error path out, and so does the loop counter. Only the flag does so without unrolling the loop.
//# label A: TRUE
//# label B: TRUE
//# value A: UNKNOWN
//# value B: TRUE
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int b = 0, i = 0, flag = __VERIFIER_nondet_int();
    if (flag)
        b = __VERIFIER_nondet_int();
    if (flag && b == 0)
        return 0;
    while (1) {
        if (i > 300)
            break;
        i++;
    }
    if (flag) {
        if (b == 0) { A: return 1; }
    }
    if (i < 0) { B: return 2; }
    return 0;
}
