// The successor of a char may be smaller.
//# call reach_error: FALSE
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);
int main(void) {
    signed char c = __VERIFIER_nondet_char();
    signed char d = (signed char)(c + 100);
    if (d < c && c > 27)
        reach_error();
    return 0;
}
