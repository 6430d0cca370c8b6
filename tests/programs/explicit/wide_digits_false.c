// Seven digits that inputs choose make a number of more than 64 bits; one choice makes this one.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned __int128 x = 1;
    long double y = 0;
    for (int i = 0; i < 7; i++) {
        int digit = __VERIFIER_nondet_int() ? 9 : 1;
        x = x * 10000 + digit;
        y = y / 2 + digit;
    }
    if ((unsigned long)(x >> 64) == 542588982 && (unsigned long)x == 11921410425098115097ul && y == 11.609375L)
        reach_error();
    return 0;
}
