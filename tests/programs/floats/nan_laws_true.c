// NaN is unlike everything, itself included, and spreads.
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
    double zero = 0, nan = zero / zero, list[3] = {nan + 1, nan * 0, -nan};
    int equal = 0;
    for (int i = 0; i < 3; i++)
        equal += list[i] == list[i] || list[i] < 1 || list[i] >= 1;
    if (equal != 0 || !(nan != nan) || nan == nan || (nan ? 0 : 1) || !nan)
        reach_error();
    return 0;
}
