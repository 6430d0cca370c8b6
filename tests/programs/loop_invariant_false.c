// x and y drift apart in the third round.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = 0, y = 0;
    while (__VERIFIER_nondet_int()) {
        x++;
        if (x != 3)
            y++;
    }
    if (x != y)
        reach_error();
    return 0;
}
