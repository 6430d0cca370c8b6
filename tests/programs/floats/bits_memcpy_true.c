// The next number is the next pattern.
//# call reach_error: TRUE
extern void reach_error(void);
void *memcpy(void *, const void *, unsigned long);

int main(void) {
    float f = 1.0f, g;
    unsigned bits;
    memcpy(&bits, &f, sizeof bits);
    bits++;
    memcpy(&g, &bits, sizeof g);
    if (g <= f || (f + g) / 2 != f || g - f != 0x1p-23f)
        reach_error();
    return 0;
}
