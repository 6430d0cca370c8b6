// An unsigned char holds what a byte can hold.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    unsigned char c = (unsigned char)__VERIFIER_nondet_int();
    if (c > 255)
        reach_error();
    return 0;
}
