// Decimal floating-point numbers are moved and not computed with: their comparison decides nothing. verdict: UNKNOWN
extern void reach_error(void);
_Decimal64 global;
static _Decimal32 same(_Decimal32 x) { return x; }
int main(void) {
    _Decimal32 a = 1.5df, b = same(a);
    _Decimal128 c = b * 2 + global;
    if (sizeof c != 16 || sizeof global != 8) reach_error();
    if (a != b || c < 1) reach_error();
    return 0;
}
