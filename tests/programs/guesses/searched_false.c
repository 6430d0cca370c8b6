//# call reach_error: FALSE
// A search may find the last element.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define COUNT 6

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
    if (found == COUNT - 1 && all[found] == sought)
        reach_error();
    return 0;
}
