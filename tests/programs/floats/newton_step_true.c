// One step of Newton's iteration for a root stays positive.
//# call reach_error: TRUE
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
    float a = __VERIFIER_nondet_float();
    if (a >= 1 && a <= 16) {
        float x = a;
        x = 0.5f * (x + a / x);
        if (!(x > 0.5f) || x > 9)
            reach_error();
    }
    return 0;
}
