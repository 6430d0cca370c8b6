// The right operand of && is not evaluated if the left is false.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int calls;
static int count(void) { return ++calls; }
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 0 && count() > 0)
        x = 1;
    if (x <= 0 && calls != 0)
        reach_error();
    return 0;
}
