// An endless loop with an input, finitely many states.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int state = 0, log[4] = {0, 0, 0, 0};
    for (;;) {
        int input = __VERIFIER_nondet_int();
        if (input == 1 && state < 3)
            state++;
        else if (input == 2 && state > 0)
            state--;
        log[state] = state;
        if (log[state] != state || state > 3 || state < 0)
            reach_error();
    }
}
