// Numbers of x87's format in records, copied by assignment and by bytes, and beside an integer of as many bytes.
//# call reach_error: TRUE
extern void reach_error(void);
extern long double __VERIFIER_nondet_long_double(void);
void *memcpy(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);

struct record {
    int a;
    long double x;
    char c;
};

union wide {
    long double x;
    __int128 i;
};

int main(void) {
    struct record p, q;
    p.a = 3;
    p.x = __VERIFIER_nondet_long_double();
    p.c = 1;
    q = p;
    if (q.x > 1 && !(p.x > 1))
        reach_error();
    long double y;
    memcpy(&y, &q.x, sizeof y);
    if (y > 2 && p.x <= 2)
        reach_error();
    union wide u;
    u.x = y;
    if (y > 1 && y < 2 && ((u.i >> 64) & 0xffff) != 0x3fff)
        reach_error();
    u.i = 0;
    if (u.x != 0)
        reach_error();
    memset(&q, 0, sizeof q);
    if (q.x != 0)
        reach_error();
    return 0;
}
