//# call reach_error: FALSE
// Of the integers with more than 24 bits, floats do not hold the odd ones.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 50000000)
        return 0;
    float narrow = i;
    if ((int)narrow != i)
        reach_error();
    return 0;
}
