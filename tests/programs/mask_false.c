// A flag can be set in a negative number.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 0 && (x & 4) && x / 2 == -5)
        reach_error();
    return 0;
}
