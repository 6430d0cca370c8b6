// Endless without a choice; what follows is not reached.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    unsigned i = 0;
    while (1) {
        int ignored = __VERIFIER_nondet_int();
        i = (i + 1) % 7;
    }
    reach_error();
    return 0;
}
