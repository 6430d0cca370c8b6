// Integers of any width: no promotion, arithmetic in that width. verdict: TRUE
extern void reach_error(void);
static void check(int holds) { if (!holds) reach_error(); }
struct record { _BitInt(17) a; unsigned _BitInt(3) b; _BitInt(100) c; } record;
static unsigned _BitInt(5) next(unsigned _BitInt(5) x) { return x + 1uwb; }
int main(void) {
    unsigned _BitInt(3) three = 7;
    three += 1uwb;
    check(three == 0);
    _BitInt(4) four = 7;
    four = four + 1;
    check(four == -8);
    unsigned _BitInt(9) nine = 300;
    check(nine * nine == (90000 & 511) && nine * 300 == 90000 && (nine << 1) == 88);
    check(next(31) == 0 && sizeof(_BitInt(17)) == 4 && sizeof(_BitInt(65)) == 16 && sizeof(struct record) == 24);
    record.c = 1;
    record.c <<= 98;
    record.a = -3;
    check((record.c >> 90) == 256 && record.a == -3);
    check(3wb == 3 && sizeof 3wb == 1 && (unsigned _BitInt(2))6 == 2);
    _BitInt(40) x = 0x7fffffffff;
    check(x == 549755813887 && x + 1wb < 0);
    return 0;
}
