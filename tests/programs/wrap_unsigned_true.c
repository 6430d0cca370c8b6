// Below the greatest number nothing wraps.
//# call reach_error: TRUE
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned int x = __VERIFIER_nondet_uint();
    if (x < 4294967295u && x + 1 < x)
        reach_error();
    return 0;
}
