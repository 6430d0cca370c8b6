// A loop that an input bounds has too many states for explicit values, and needs three predicates.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), i = 0;
    while (i < x) i++;
    if (i < 0) reach_error();
    if (x > 0 && i != x) reach_error();
    return 0;
}
