// Only the infinities differ from themselves by NaN.
//# call reach_error: FALSE
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
    float x = __VERIFIER_nondet_float();
    float d = x - x;
    if (x == x && d != d)
        reach_error();
    return 0;
}
