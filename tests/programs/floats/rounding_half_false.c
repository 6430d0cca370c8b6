// Adding a half and cutting is not rounding.
//# call reach_error: FALSE
extern void reach_error(void);
long lround(double);

int main(void) {
    double x = 0.49999999999999994;
    if ((long)(x + 0.5) != lround(x))
        reach_error();
    return 0;
}
