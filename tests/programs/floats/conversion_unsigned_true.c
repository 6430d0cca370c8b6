// Numbers above the signed range.
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
    unsigned long long top = 0xffffffffffffffffULL;
    double d = top;
    float f = 4294967296.0f;
    unsigned long long back = (unsigned long long)(f * 3);
    if (d != 18446744073709551616.0 || back != 12884901888ULL || (double)(top >> 11) != 9007199254740991.0)
        reach_error();
    return 0;
}
