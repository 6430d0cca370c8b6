// An input of binary128 stays in its bounds.
//# call reach_error: TRUE
extern void reach_error(void);
extern __float128 __VERIFIER_nondet_float128(void);

int main(void) {
    __float128 x = __VERIFIER_nondet_float128();
    if (x > 1 && x < 2) {
        if (x + x <= 2 || x / 2 >= 1 || -x >= -1)
            reach_error();
    }
    return 0;
}
