// The same for a record that lives in no memory, with an input.
//# call reach_error: FALSE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct s { unsigned a : 3; int b : 3; };
int main(void) {
    struct s s;
    int n = __VERIFIER_nondet_int();
    s.a = 8;
    s.b = n;
    if (n > 3 && s.b == n)
        return 1;
    if (s.a == 0 && n == 7 && s.b == -1)
        reach_error();
    return 0;
}
