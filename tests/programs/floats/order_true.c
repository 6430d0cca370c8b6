// Order is transitive, NaN or not.
//# call reach_error: TRUE
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
    float x = __VERIFIER_nondet_float(), y = __VERIFIER_nondet_float(), z = __VERIFIER_nondet_float();
    if (x < y && y < z && !(x < z))
        reach_error();
    return 0;
}
