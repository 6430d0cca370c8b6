// Towards zero, a sum stays below the true one.
//# call reach_error: FALSE
extern void reach_error(void);
int fesetround(int);

int main(void) {
    volatile float a = 0.1f, b = 0.7f;
    fesetround(0xc00);
    float down = a + b;
    fesetround(0x800);
    float up = a + b;
    if (down != up)
        reach_error();
    return 0;
}
