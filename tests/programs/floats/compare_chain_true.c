// Sorting numbers with infinities and zeros of both signs.
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
    double a[6] = {3, -__builtin_inf(), -0.0, 0.5, __builtin_inf(), 0.0};
    for (int i = 0; i < 6; i++)
        for (int j = i + 1; j < 6; j++)
            if (a[j] < a[i]) {
                double t = a[i];
                a[i] = a[j];
                a[j] = t;
            }
    for (int i = 0; i + 1 < 6; i++)
        if (a[i] > a[i + 1])
            reach_error();
    if (a[0] != -__builtin_inf() || a[3] != 0.5)
        reach_error();
    return 0;
}
