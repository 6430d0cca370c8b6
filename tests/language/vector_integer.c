// Vectors of integers: arithmetic, comparison, shifts, elements, casts, shuffles. verdict: TRUE
extern void reach_error(void);
static void check(int holds) { if (!holds) reach_error(); }
typedef int four __attribute__((vector_size(16)));
typedef short eight __attribute__((vector_size(16)));
typedef unsigned char sixteen __attribute__((vector_size(16)));
typedef long long two __attribute__((vector_size(16)));
four global = {1, 2, 3};
struct record { char c; four v; } record;
static four add(four a, four b) { return a + b; }
static int is(four v, int a, int b, int c, int d) { return v[0] == a && v[1] == b && v[2] == c && v[3] == d; }
int main(void) {
    four a = {1, 2, 3, 4}, b = {10, 20, 30, 40}, c;
    check(is(a + b, 11, 22, 33, 44) && is(a * 2, 2, 4, 6, 8) && is(-a, -1, -2, -3, -4) && is(~a, -2, -3, -4, -5));
    check(is(a < 3, -1, -1, 0, 0) && is(a == b - 18, 0, -1, 0, 0) && is(a << 1, 2, 4, 6, 8) && is(b >> a, 5, 5, 3, 2));
    check(is(b / a, 10, 10, 10, 10) && is(b % 7, 3, 6, 2, 5) && is(1 << a, 2, 4, 8, 16) && is(global, 1, 2, 3, 0));
    c = add(a, b);
    c += 1;
    c[2] = 98;
    c++;
    check(is(c, 13, 24, 99, 46));
    volatile int index = 2;
    check(c[index] == 99);
    c[index]--;
    check(c[2] == 98);
    sixteen bytes = (sixteen)a;
    check(bytes[0] == 1 && bytes[4] == 2 && bytes[1] == 0 && sizeof bytes == 16);
    bytes += (unsigned char)255;
    check(bytes[0] == 0 && bytes[1] == 255);
    two pairs = (two)a;
    eight halves = (eight)b;
    check(pairs[0] == 0x200000001ll && halves[2] == 20 && halves[3] == 0);
    four back = (four)pairs;
    check(is(back, 1, 2, 3, 4));
    four mask = {3, 2, 1, 0}, mixed = {0, 4, 9, 5};
    check(is(__builtin_shuffle(a, mask), 4, 3, 2, 1) && is(__builtin_shuffle(a, b, mixed), 1, 10, 2, 20));
    check(is(__builtin_shufflevector(a, b, 7, 0, 6, 1), 40, 1, 30, 2));
    record.v = a;
    struct record copy = record;
    four list[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}}, *p = &list[1];
    check(is(copy.v, 1, 2, 3, 4) && list[1][2] == 7 && (*p)[0] == 5 && sizeof(struct record) == 32);
    return 0;
}
