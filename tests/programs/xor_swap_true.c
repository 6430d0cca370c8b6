//# call reach_error: TRUE
// Swaps and averages by operations on bits: what they make has as many cases as numbers, and holds bit by bit.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    int x = a, y = b;
    x ^= y;
    y ^= x;
    x ^= y;
    if (x != b || y != a)
        reach_error();
    unsigned c = __VERIFIER_nondet_uint(), d = __VERIFIER_nondet_uint();
    unsigned middle = (c & d) + ((c ^ d) >> 1);
    if (middle != ((unsigned long)c + d) / 2)
        reach_error();
    return 0;
}
