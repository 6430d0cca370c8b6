// A remainder of a negative number is negative.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n == -7 && n % 3 == -1 && n / 2 == -3 && (n >> 1) == -4)
        reach_error();
    return 0;
}
