// binary16 has no number between 2048 and 2050.
//# call reach_error: FALSE
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
    float f = __VERIFIER_nondet_float();
    _Float16 h = f;
    if (f > 2048 && f < 2050 && h == 2048)
        reach_error();
    return 0;
}
