// The right operand of || is evaluated if the left is false.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int calls;
static int count(void) { return ++calls; }
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 0 || count() > 0)
        x = 1;
    if (calls == 1)
        reach_error();
    return 0;
}
