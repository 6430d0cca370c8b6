// A negative number is a big unsigned one.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if ((unsigned)n > 10u && n < 5)
        reach_error();
    return 0;
}
