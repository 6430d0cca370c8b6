//# call reach_error: FALSE
// In a list with links both ways, the one behind points back, but not if the head is not told.
extern _Bool __VERIFIER_nondet_bool(void);
extern void *malloc(unsigned long);
extern void abort(void);
extern void reach_error(void);

struct stop {
    struct stop *behind, *before;
};

int main(void) {
    struct stop *head = 0;
    while (__VERIFIER_nondet_bool()) {
        struct stop *made = malloc(sizeof *made);
        if (!made)
            abort();
        made->before = 0;
        made->behind = head;
        if (head && __VERIFIER_nondet_bool())
            head->before = made;
        head = made;
    }
    for (struct stop *at = head; at; at = at->behind)
        if (at->behind && at->behind->before != at)
            reach_error();
    return 0;
}
