// An input that is rounded to binary16.
//# call reach_error: TRUE
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
    float f = __VERIFIER_nondet_float();
    if (!(f >= 1 && f <= 100))
        return 0;
    _Float16 h = f;
    if (h < 1 || h > 100 || h + h > 200.5f)
        reach_error();
    return 0;
}
