// Every long is a number of x87's format, so the conversions are inverse.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    long double x = n;
    if (n >= 0 && (x < 0 || x > 2147483647.0L))
        reach_error();
    if (n > 5 && !(x > 0) || n == 7 && x != 7)
        reach_error();
    return 0;
}
