// What has changed in between is another operand, and the order of operands counts.
//# call reach_error: FALSE
//# label OTHER: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    int product = x * y;
    int n = 0;
    while (__VERIFIER_nondet_int()) {
        if (x * y != product)
            reach_error();
        if (n == 1 && x - y != y - x)
            goto OTHER;
        x++;
        n++;
    }
    return 0;
OTHER:
    return 1;
}
