// Every int is a double.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int i = __VERIFIER_nondet_int();
    double d = i;
    if (d < -2147483648.0 || d > 2147483647.0 || (i > 5 && d <= 5))
        reach_error();
    return 0;
}
