// The call on one of two paths that meet has left its trace in the static variable of its function.
//# call reach_error: FALSE
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int calls(void) {
    static int count;
    int before = count;
    count = count + 1;
    return before;
}
int main(void) {
    if (__VERIFIER_nondet_int()) calls();
    int last = calls();
    if (last == 1) reach_error();
    return 0;
}
