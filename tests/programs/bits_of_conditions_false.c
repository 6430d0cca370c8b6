// Four conditions of which each excludes all but one value, as a bit operation.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();
    int first = (a == 3 & b == 5 & c == 7) | (a == 4 & b == 6 & c == 7) | 0;
    int second = (a == 4) ^ (c == 7);
    if (first & !second) reach_error();
    return 0;
}
