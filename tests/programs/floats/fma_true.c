// The fused operation rounds once.
//# call reach_error: TRUE
extern void reach_error(void);
double fma(double, double, double);

int main(void) {
    double x = 1 + 0x1p-30, product = x * x;
    double error = fma(x, x, -product);
    if (error != 0x1p-60 || product + error != product)
        reach_error();
    return 0;
}
