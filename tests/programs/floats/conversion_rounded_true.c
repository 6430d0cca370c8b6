//# call reach_error: TRUE
// A float is at most half a step away from the integer, and the even one of two.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i < 1 << 25 || i >= 1 << 26)
        return 0;
    float narrow = i;
    int back = narrow;
    if (back - i > 2 || i - back > 2 || back % 4 != 0)
        reach_error();
    if (i % 8 == 2 && back != i - 2)
        reach_error();
    if (i % 8 == 6 && back != i + 2)
        reach_error();
    return 0;
}
