// The flag stays down because y is at most 3 at the loop head; the strongest interpolants count instead.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = 0, y = 0, flag = 0;
    while (__VERIFIER_nondet_int()) {
        if (y > 5)
            flag = 1;
        x++;
        if (x > 3)
            x = 0;
        y = x;
    }
    if (flag != 0)
        reach_error();
    return 0;
}
