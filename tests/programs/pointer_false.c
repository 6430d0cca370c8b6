// Two pointers to the same variable.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = 1, y = 2;
    int *p = &x;
    int *q = __VERIFIER_nondet_int() ? &x : &y;
    *q = 9;
    if (*p == 9)
        reach_error();
    return 0;
}
