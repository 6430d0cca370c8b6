// A reciprocal by multiplications only.
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
    float d = 7.0f, x = 0.1f;
    for (int i = 0; i < 8; i++)
        x = x * (2 - d * x);
    float error = x * d - 1;
    if (error > 1e-6f || error < -1e-6f)
        reach_error();
    return 0;
}
