// Fall-through and default cover all cases.
//# call reach_error: TRUE
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
    case 3 ... 5:
        result = 4;
        break;
    default:
        result = 5;
    }
    if (result != 2 && result != 3 && result != 4 && result != 5)
        reach_error();
    return 0;
}
