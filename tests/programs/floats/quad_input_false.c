// binary128 tells numbers apart that x87's format does not.
//# call reach_error: FALSE
extern void reach_error(void);
extern __float128 __VERIFIER_nondet_float128(void);

int main(void) {
    __float128 x = __VERIFIER_nondet_float128();
    if (x > 1 && x < 2 && (long double)x == 1)
        reach_error();
    return 0;
}
