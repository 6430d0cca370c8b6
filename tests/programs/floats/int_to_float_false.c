// Not every int is a float.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int i = __VERIFIER_nondet_int();
    float f = i;
    if (i < 2147483647 && f >= 2147483648.0f)
        reach_error();
    return 0;
}
