// Not every `int` is a `float`.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int i = __VERIFIER_nondet_int();
    float real = i;
    if (i > 16777216 && i < 20000000 && (int)real != i)
        reach_error();
    return 0;
}
