//# call reach_error: TRUE
// Six locks, each taken and given back in one turn of the loop. An error path speaks of one lock, so each needs a refinement of its own;
// explored to the end, the first abstraction shows them all at once.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int held0 = 0, held1 = 0, held2 = 0, held3 = 0, held4 = 0, held5 = 0;

int main(void) {
    while (__VERIFIER_nondet_int()) {
        switch (__VERIFIER_nondet_int()) {
        case 0:
            if (held0)
                reach_error();
            held0 = 1;
            break;
        case 1:
            if (held1)
                reach_error();
            held1 = 1;
            break;
        case 2:
            if (held2)
                reach_error();
            held2 = 1;
            break;
        case 3:
            if (held3)
                reach_error();
            held3 = 1;
            break;
        case 4:
            if (held4)
                reach_error();
            held4 = 1;
            break;
        default:
            if (held5)
                reach_error();
            held5 = 1;
        }
        held0 = held1 = held2 = held3 = held4 = held5 = 0;
    }
    return 0;
}
