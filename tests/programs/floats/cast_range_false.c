// A number below 100 as an integer can be 99.
//# call reach_error: FALSE
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
    float x = __VERIFIER_nondet_float();
    if (x >= 0 && x < 100) {
        int i = (int)x;
        if (i == 99)
            reach_error();
    }
    return 0;
}
