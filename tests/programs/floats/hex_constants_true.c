// Hexadecimal constants, suffixes and exact decimals.
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
    if (0x1.8p1 != 3.0 || 0x.1p4f != 1.0f || 0x1p-1074 == 0 || 1e-400 != 0 || 0.1f == 0.1 || 0.5f != 0.5 || 5e-324 != 0x1p-1074)
        reach_error();
    return 0;
}
