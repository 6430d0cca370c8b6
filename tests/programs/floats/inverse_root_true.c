// The inverse square root by a shift of the pattern and one step.
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
    union {
        float f;
        int i;
    } u;
    float x = 4.0f;
    u.f = x;
    u.i = 0x5f3759df - (u.i >> 1);
    float y = u.f * (1.5f - 0.5f * x * u.f * u.f);
    if (y < 0.499f || y > 0.501f || y == 0.5f)
        reach_error();
    return 0;
}
