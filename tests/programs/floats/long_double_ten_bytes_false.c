// The first ten bytes of a number of x87's format are all that counts.
//# call reach_error: FALSE
extern void reach_error(void);
extern long double __VERIFIER_nondet_long_double(void);
void *memcpy(void *, const void *, unsigned long);

int main(void) {
    long double x = __VERIFIER_nondet_long_double(), y = 5;
    memcpy(&y, &x, 10);
    if (x == 7 && y == 7)
        reach_error();
    return 0;
}
