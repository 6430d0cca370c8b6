// The second violation lies behind the first: both have to be found, and the third does not exist.
//# call first_error: FALSE
//# call second_error: FALSE
//# call third_error: TRUE
extern void first_error(void);
extern void second_error(void);
extern void third_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 10)
        first_error();
    if (x > 20)
        second_error();
    if (x > 20 && x < 15)
        third_error();
    return 0;
}
