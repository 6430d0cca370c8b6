// A union shows the pattern: sign, exponent, fraction.
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
    union {
        double value;
        unsigned long long bits;
    } u;
    u.value = -6.25;
    if (u.bits >> 63 != 1 || ((u.bits >> 52) & 0x7ff) != 1025 || (u.bits & 0xfffffffffffffULL) != 0x9000000000000ULL)
        reach_error();
    u.bits ^= 1ULL << 63;
    if (u.value != 6.25)
        reach_error();
    return 0;
}
