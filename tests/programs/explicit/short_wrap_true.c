// Conversions of inputs: what wraps, wraps, and what is extended keeps its sign.
//# call reach_error: TRUE
extern void reach_error(void);
extern short __VERIFIER_nondet_short(void);
int main(void) {
    short s = __VERIFIER_nondet_short();
    int wide = s;
    short next = (short)(s + 1);
    unsigned as_unsigned = (unsigned)s;
    if (wide != s || (int)as_unsigned != wide)
        reach_error();
    if (s != 32767 && next != wide + 1)
        reach_error();
    if (s == 32767 && next != -32768)
        reach_error();
    if (next < s && s != 32767)
        reach_error();
    return 0;
}
