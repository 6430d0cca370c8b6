// The value of a product and of an exclusive or at numbers that only paths know.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = 6, n = 0;
    if (x != 7)
        return 0;
    while (__VERIFIER_nondet_int()) {
        n = x * y;
        y = 6;
        if ((n ^ x) == 3)
            reach_error();
    }
    if (n != 0 && n != 42)
        reach_error();
    return 0;
}
