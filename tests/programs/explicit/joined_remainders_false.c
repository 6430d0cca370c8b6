// Explicit values take both remainders for any number, so that the two paths look the same where they meet. The solver refutes the first path; the second one, which ended there, violates.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), r;
    if (a <= 0 || b <= 0) return 0;
    if (__VERIFIER_nondet_int())
        r = a % b;
    else
        r = b % a;
    if (r != a % b) reach_error();
    return 0;
}
