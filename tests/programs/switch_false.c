// Falling through from case 1 gives 3.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int result = 0;
    switch (__VERIFIER_nondet_int()) {
    case 1:
        result = 1;
    case 2:
        result += 2;
        break;
    default:
        break;
    }
    if (result == 3)
        reach_error();
    return 0;
}
