// Adding one to the greatest unsigned number gives zero.
//# call reach_error: FALSE
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned int x = __VERIFIER_nondet_uint();
    if (x + 1 < x)
        reach_error();
    return 0;
}
