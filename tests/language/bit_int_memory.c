// Integers of any width in memory, behind pointers, in unions, arrays and formulas. verdict: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void *memcpy(void *, const void *, unsigned long);
static void check(int holds) { if (!holds) reach_error(); }
struct record { unsigned _BitInt(17) a; _BitInt(9) b; } one, two;
union view { unsigned _BitInt(12) number; unsigned char bytes[2]; } view;
int main(void) {
    unsigned _BitInt(17) first = 5, second;
    unsigned char *byte = (unsigned char *)&first;
    byte[0] = 7;
    byte[1] = 1;
    check(first == 263);
    memcpy(&second, &first, sizeof first);
    check(second == 263);
    one.a = 131071;
    one.b = -256;
    two = one;
    check(two.a == 131071 && two.b == -256);
    one.a++;
    view.number = 4095;
    check(one.a == 0 && view.bytes[0] == 255);
    int input = __VERIFIER_nondet_int();
    unsigned _BitInt(5) five = input;
    _BitInt(7) seven = input, list[3] = {1, -1, 63};
    check(five <= 31 && (input & 31) == (int)five && seven <= 63 && seven >= -64);
    list[2]++;
    check(list[2] == -64);
    return 0;
}
