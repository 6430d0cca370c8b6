// Conditions that are combined by `&`, `|` and `^` are formulas, also with constants and through variables.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    int both = (a == 1) & (b == 2), one = (a == 1) ^ (b == 2), none = ((a == 1) | (b == 2) | 0) ^ 1;
    if (both + one + none != 1) reach_error();
    if ((both & 1) != both || (one | 0) != one || (none & 0)) reach_error();
    if (both && (a != 1 | b != 2)) reach_error();
    _Bool p = __VERIFIER_nondet_bool(), q = __VERIFIER_nondet_bool();
    p ^= q, q ^= p, p ^= q;
    if ((p & !p) | (q & !q) | ((p ^ q) == (p == q))) reach_error();
    unsigned char bit = a & 1;
    if ((bit & (b & 1)) > bit | (bit ^ bit) | !(bit | 1)) reach_error();
    return 0;
}
