// The greater summand gives the greater sum. Explicit values cannot compare the two sums, and the only path to the violation is refuted by the solver.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), z = __VERIFIER_nondet_int();
    if (x < 0 || x > 1000 || y < 0 || y > 1000 || z < 0 || z > 1000) return 0;
    int s = x + y, t = y + z;
    if (x <= z && s > t) reach_error();
    return 0;
}
