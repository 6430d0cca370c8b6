// Complex integers: parts, arithmetic, conversions, calls, memory. verdict: TRUE
extern void reach_error(void);
static void check(int holds) { if (!holds) reach_error(); }
_Complex int global = 3 + 4i;
struct pair { char c; _Complex short z; } pair;
static _Complex int sum(_Complex int a, _Complex int b) { return a + b; }
static int is(_Complex int z, int real, int imaginary) { return __real__ z == real && __imag__ z == imaginary; }
int main(void) {
    _Complex int z = 1 + 2i, y = 3 - 1i, x;
    check(is(z * y, 5, 5) && is(z + y, 4, 1) && is(z - y, -2, 3) && is(~z, 1, -2) && is(-z, -1, -2));
    check(is(2 - z, 1, -2) && is(z * 3, 3, 6) && is(sum(z, global), 4, 6));
    check(z == z && z != y && global == 3 + 4i);
    __real__ z = 7;
    __imag__ z += 3;
    check(is(z, 7, 5));
    int *part = &__imag__ z;
    *part = 42;
    check(__imag__ z == 42);
    x = 5;
    check(is(x, 5, 0) && (int)global == 3);
    x -= 1i;
    x++;
    x *= 2;
    check(is(x, 12, -2) && !!x && !(x - x));
    pair.z = x;
    struct pair other = pair;
    check(__real__ other.z == 12 && __imag__ other.z == -2 && sizeof other.z == 4);
    _Complex int list[2] = {1i, 2};
    check(is(list[0], 0, 1) && is(list[1], 2, 0));
    volatile _Complex int u = 17 + 5i, v = 3 + 2i, w = -7 + 9i, s = 2 - 5i;
    check(is(u / v, 5, 1) && is(w / s, -1, -1) && is(u / 3, 5, 1));
    return 0;
}
