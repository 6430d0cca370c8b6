// Conversions to integers cut towards zero; those from large integers round.
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
    double d = -3.99;
    float f = 3.99f;
    long long big = 9007199254740993LL;
    unsigned u = (unsigned)4294967295.0;
    if ((int)d != -3 || (int)f != 3 || (double)big != 9007199254740992.0 || u != 4294967295u || (signed char)d != -3)
        reach_error();
    int i = 16777217;
    if ((float)i != 16777216.0f || (int)(float)i == i || (_Bool)0.1 != 1 || (_Bool)0.0 != 0)
        reach_error();
    return 0;
}
