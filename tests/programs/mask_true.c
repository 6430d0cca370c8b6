// The low four bits of a number are below sixteen, whatever its sign.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    int low = x & 15;
    if (low < 0 || low > 15)
        reach_error();
    return 0;
}
