// The same operation on the same operands has the same result, whatever it is.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    int product = x * y;
    int difference = x - y;
    while (__VERIFIER_nondet_int()) {
        if (y * x != product)
            reach_error();
        if (x - y != difference)
            reach_error();
        int rest = (x ^ y) % 7;
        if ((y ^ x) % 7 != rest)
            reach_error();
    }
    return 0;
}
