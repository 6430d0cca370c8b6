// Eight different values do not fit into seven: the solver has to count them.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int c = __VERIFIER_nondet_int();
    int d = __VERIFIER_nondet_int();
    int e = __VERIFIER_nondet_int();
    int f = __VERIFIER_nondet_int();
    int g = __VERIFIER_nondet_int();
    int h = __VERIFIER_nondet_int();
    if (a >= 0 && a < 7
        && b >= 0 && b < 7
        && c >= 0 && c < 7
        && d >= 0 && d < 7
        && e >= 0 && e < 7
        && f >= 0 && f < 7
        && g >= 0 && g < 7
        && h >= 0 && h < 7
        && b != a
        && c != a && c != b
        && d != a && d != b && d != c
        && e != a && e != b && e != c && e != d
        && f != a && f != b && f != c && f != d && f != e
        && g != a && g != b && g != c && g != d && g != e && g != f
        && h != a && h != b && h != c && h != d && h != e && h != f && h != g
    )
        reach_error();
    return 0;
}
