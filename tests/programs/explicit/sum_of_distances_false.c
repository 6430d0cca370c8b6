// A pointer plus a sum of small inputs comes to the last element.
//# call reach_error: FALSE
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    int cells[5] = {0};
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    if (a > 2 || b > 2)
        return 0;
    int *sum = cells + (a + b), *steps = cells;
    *sum = 7;
    steps += a;
    steps += b;
    if (cells[4] == 7 && steps == cells + 4)
        reach_error();
    return 0;
}
