// A conversion to char cuts: 200 becomes negative.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 255)
        return 0;
    char c = (char)x;
    if (x == 200 && c < 0)
        reach_error();
    return 0;
}
