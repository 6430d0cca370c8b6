// A number between 0 and 100 as an integer.
//# call reach_error: TRUE
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
    float x = __VERIFIER_nondet_float();
    if (x >= 0 && x < 100) {
        int i = (int)x;
        if (i < 0 || i > 99)
            reach_error();
    }
    return 0;
}
