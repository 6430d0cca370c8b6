// A local is gone when its function has returned, on one of two paths that meet; a static variable of the function is not.
//# call reach_error: TRUE
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
    if (last < 0 || last > 1) reach_error();
    return 0;
}
