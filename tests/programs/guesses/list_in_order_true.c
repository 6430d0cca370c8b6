//# call reach_error: TRUE
// A list whose ranks grow, and of which the first objects are passed over.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void abort(void);
extern void reach_error(void);

struct entry {
    int rank;
    struct entry *next;
};

int main(void) {
    struct entry *first = malloc(sizeof *first);
    if (!first)
        abort();
    struct entry *last = first;
    while (__VERIFIER_nondet_int()) {
        last->rank = 10;
        last->next = malloc(sizeof *last);
        if (!last->next)
            abort();
        last = last->next;
    }
    while (__VERIFIER_nondet_int()) {
        last->rank = 20;
        last->next = malloc(sizeof *last);
        if (!last->next)
            abort();
        last = last->next;
    }
    last->rank = 30;
    last->next = 0;
    struct entry *at = first;
    while (at->rank == 10)
        at = at->next;
    while (at->rank == 20)
        at = at->next;
    if (at->rank != 30)
        reach_error();
    return 0;
}
