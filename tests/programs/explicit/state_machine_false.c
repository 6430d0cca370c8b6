// The same with an error that takes a sequence of inputs.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int state = 0;
    for (;;) {
        int input = __VERIFIER_nondet_int();
        if (input == 17 + state)
            state++;
        else
            state = 0;
        if (state == 5)
            reach_error();
    }
}
