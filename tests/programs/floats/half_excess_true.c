// Operations on `_Float16` are done in `float` and rounded where a value is stored, passed, returned or cast to its own type.
//# call reach_error: TRUE
extern void reach_error(void);

typedef __builtin_va_list va_list;

static _Float16 same(_Float16 x) {
    return x;
}

static int whole(int n, ...) {
    va_list list;
    __builtin_va_start(list, n);
    _Float16 x = __builtin_va_arg(list, _Float16);
    __builtin_va_end(list);
    return (int)x;
}

static _Float16 sum = 2048.0f16 + 1.0f16 + 1.0f16;
static double unrounded = 2048.0f16 + 1.0F16;

int main(void) {
    volatile _Float16 h = 2048, one = 1, big = 60000, tiny = 0.0001f16;
    volatile int i = 100001, yes = 1;
    if (sizeof(_Float16) != 2 || sizeof(h + one) != 2 || sizeof(h + 1) != 2 || sizeof(h + 1.0f) != 4)
        reach_error();
    if (_Generic(h + one, float: 1, _Float16: 2, default: 3) != 2)
        reach_error();
    if (h + one + one != 2050 || -(h + one) != -2049 || +(h + one) != 2049)
        reach_error();
    // An integer becomes a `float` at once, unless it is cast.
    if (!(h + i > 100000) || (_Float16)i == i || one + 16777217LL == 16777218)
        reach_error();
    if ((int)(h + one) != 2049 || (int)(_Float16)(h + one) != 2048 || (double)(h + one) != 2049)
        reach_error();
    double d = h + one;
    float f = h + one;
    _Float16 r = h + one, inf = big * 2;
    if (d != 2049 || f != 2049 || r != 2048 || inf != __builtin_inff() || big * 2 != 120000)
        reach_error();
    if (same(h + one) != 2048 || whole(1, h + one) != 2048 || whole(1, (_Float16)7) != 7)
        reach_error();
    if ((double)(yes ? h + one : one) != 2049 || (double)(yes ? i : h) != 100001 || (double)(0, h + one) != 2049)
        reach_error();
    if ((double)((h + one) ?: one) != 2049 || (double)({ h + one; }) != 2048)
        reach_error();
    // What is too small for `_Float16` counts as not zero, until it is stored.
    _Float16 gone = tiny * tiny * tiny;
    if (!(tiny * tiny * tiny) || gone != 0 || !((tiny * tiny * tiny) && 1))
        reach_error();
    _Bool kept = tiny * tiny * tiny;
    if (!kept)
        reach_error();
    _Float16 x = h;
    x += one;
    if (x != 2048)
        reach_error();
    x += one + one;
    if (x != 2050)
        reach_error();
    x = 1;
    x += i;
    if (x != __builtin_inff())
        reach_error();
    int n = 5;
    n += h + one;
    if (n != 2054 || ((x = h + one) + one) != 2049)
        reach_error();
    x = 65504;
    x++;
    if (x != 65504 || h + one + 0.5 != 2049.5)
        reach_error();
    _Float16 a[2] = {h + one, one / 3};
    if (a[0] != 2048 || a[1] * 3 == 1 || (one / 3) * 3 != 1)
        reach_error();
    // A constant is a `float`, until it is stored.
    _Float16 tenth = 0.1f16;
    if (0.1f16 != 0.1f || tenth == 0.1f || (_Float16)0.1f16 != tenth || 65519.0f16 * 2 != 131038)
        reach_error();
    if (sum != 2050 || unrounded != 2049)
        reach_error();
    return 0;
}
