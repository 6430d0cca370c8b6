// Negation changes the sign of zero, subtraction from zero does not.
//# call reach_error: FALSE
extern void reach_error(void);

int main(void) {
    double x = 0.0, a = -x, b = 0.0 - x;
    if (1 / a != 1 / b)
        reach_error();
    return 0;
}
