// A comparison with NaN is false, so its negation is true.
//# call reach_error: FALSE
extern void reach_error(void);

int main(void) {
    double zero = 0, nan = zero / zero;
    if (!(nan >= 0))
        reach_error();
    return 0;
}
