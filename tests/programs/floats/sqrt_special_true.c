// Square roots of special values and of squares.
//# call reach_error: TRUE
extern void reach_error(void);
double sqrt(double);
float sqrtf(float);

int main(void) {
    float f = 0;
    for (int i = 0; i < 50; i++) {
        f = sqrtf((float)(i * i));
        if (f != i)
            reach_error();
    }
    double none = sqrt(-1.0);
    if (none == none || 1 / sqrt(-0.0) > 0 || sqrt(1e308 * 10) <= 1e308 || sqrt(0x1p-1074) != 0x1p-537)
        reach_error();
    return 0;
}
