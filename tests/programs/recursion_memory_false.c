//# call reach_error: FALSE
// The variables of two frames are two objects: one is written, and the other one keeps its value.
extern int __VERIFIER_nondet_int(void);
void reach_error(void);

static void set(int *place, int value) {
    *place = value;
}

static void walk(int n, int *outer) {
    int count;
    set(&count, n);
    if (outer != 0 && outer != &count && *outer == 1 && count == 0)
        reach_error();
    if (n > 0)
        walk(n - 1, &count);
}

int main(void) {
    walk(__VERIFIER_nondet_int(), 0);
    return 0;
}
