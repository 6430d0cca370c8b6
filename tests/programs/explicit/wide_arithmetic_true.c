// Division, remainder, shifts and conversions of integers of 128 bits with signs, for a few numbers each.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
typedef __int128 s128;
typedef unsigned __int128 u128;

static s128 number(int k) {
    s128 big = (s128)0x0123456789abcdefl << 60;
    switch (k) {
    case 0: return 0;
    case 1: return -1;
    case 2: return big;
    case 3: return -big - 17;
    case 4: return (s128)1 << 100;
    default: return 10000000019l;
    }
}

int main(void) {
    int i = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    if (i < 0 || i > 5 || k < 0 || k > 5)
        return 0;
    s128 a, b;
    int x = 0, y = 0;
    while (x < i) x++;
    while (y < k) y++;
    a = number(x), b = number(y);
    if (b != 0) {
        s128 q = a / b, r = a % b;
        if (q * b + r != a || (r < 0 && a > 0) || (r > 0 && a < 0))
            reach_error();
        u128 uq = (u128)a / (u128)b;
        if (uq * (u128)b + (u128)a % (u128)b != (u128)a)
            reach_error();
    }
    if ((a < b) != (b > a) || (a <= b) == (a > b) || (a == b) != (x == y))
        reach_error();
    if ((a ^ b) != ((a | b) & ~(a & b)) || -a != ~a + 1)
        reach_error();
    for (int n = 0; n < 128; n += 9)
        if (((u128)a << n) >> n != ((u128)a & (~(u128)0 >> n)) || (a >> n < 0) != (a < 0))
            reach_error();
    double d = (double)a;
    long double l = (long double)a;
    if ((d < 0) != (a < 0) || (s128)l - a > 1 << 30 || a - (s128)l > 1 << 30)
        reach_error();
    if (a >= 0 && (u128)l != (u128)(s128)l)
        reach_error();
    return 0;
}
