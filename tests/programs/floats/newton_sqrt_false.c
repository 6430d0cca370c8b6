// The square of the rounded root is not 2.
//# call reach_error: FALSE
extern void reach_error(void);
double sqrt(double);

int main(void) {
    double x = sqrt(2.0);
    if (x * x != 2.0)
        reach_error();
    return 0;
}
