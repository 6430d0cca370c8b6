// A sum does not depend on the order of its summands: the exploration knows how often each of them occurs.
//# call reach_error: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
long long sum(int *x) {
    long long all = 0;
    for (int i = 0; i < 12; i++)
        all += x[i];
    return all;
}
int main(void) {
    int x[12];
    for (int i = 0; i < 12; i++)
        x[i] = __VERIFIER_nondet_int();
    long long before = sum(x);
    int first = x[0];
    for (int i = 0; i < 11; i++)
        x[i] = x[i + 1];
    x[11] = first;
    if (before != sum(x)) reach_error();
    return 0;
}
