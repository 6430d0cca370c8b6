//# call reach_error: TRUE
// A search ends at the first element that is sought, or at the end.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define COUNT 3000

int main(void) {
    int all[COUNT], sought = __VERIFIER_nondet_int();
    for (int i = 0; i < COUNT; i++)
        all[i] = __VERIFIER_nondet_int();
    int found = 0;
    while (found < COUNT && all[found] != sought)
        found++;
    for (int i = 0; i < found; i++)
        if (all[i] == sought)
            reach_error();
    if (found < COUNT && all[found] != sought)
        reach_error();
    return 0;
}
