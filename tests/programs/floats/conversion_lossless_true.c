// A conversion gives back what one without loss was given, of all numbers.
//# call reach_error: TRUE
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern short __VERIFIER_nondet_short(void);
int main(void) {
    float f = __VERIFIER_nondet_float();
    double wide = f;
    float back = (float)wide;
    if (back != f && f == f)
        reach_error();
    int i = __VERIFIER_nondet_int();
    double real = i;
    if ((int)real != i || (long)real != i)
        reach_error();
    short s = __VERIFIER_nondet_short();
    float small = s;
    if ((int)small != s)
        reach_error();
    return 0;
}
