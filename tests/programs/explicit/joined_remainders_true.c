// The same remainder on both paths: explicit values take it for two numbers.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), r;
    if (a <= 0 || b <= 0) return 0;
    if (__VERIFIER_nondet_int())
        r = a % b;
    else
        r = a % b;
    if (r != a % b) reach_error();
    return 0;
}
