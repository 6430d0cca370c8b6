// A byte of an input is not determined by anything else.
//# call reach_error: FALSE
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
union u { unsigned word; unsigned char byte[4]; };
int main(void) {
    union u u;
    u.word = __VERIFIER_nondet_uint();
    if (u.byte[0] == 1)
        reach_error();
    return 0;
}
