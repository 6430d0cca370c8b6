// A conversion to _Bool asks for zero, of the whole number.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    _Bool b = n, c = 256;
    int sum = b + c + (n > 3) + !n;
    if (sum == 3 && n > 3)
        reach_error();
    return 0;
}
