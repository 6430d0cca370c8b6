// The other handler is chosen by an input.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int twice(int x) { return x + x; }
static int minus(int x) { return -x; }
int main(void) {
    int (*handler)(int) = __VERIFIER_nondet_int() ? twice : minus;
    if (handler(4) == -4)
        reach_error();
    return 0;
}
