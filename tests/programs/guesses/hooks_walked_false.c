//# call reach_error: FALSE
// A hook whose ladder has one rung is left out by the walk.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void abort(void);
extern void reach_error(void);

struct rung {
    struct rung *below;
    int number;
};
struct hook {
    struct hook *next;
    struct rung *ladder;
    long seen;
};

static struct rung *ladder(void) {
    struct rung *top = 0;
    do {
        struct rung *made = malloc(sizeof *made);
        if (!made)
            abort();
        made->below = top;
        made->number = 4;
        top = made;
    } while (__VERIFIER_nondet_int());
    return top;
}

int main(void) {
    struct hook *first = 0;
    while (__VERIFIER_nondet_int()) {
        struct hook *made = malloc(sizeof *made);
        if (!made)
            abort();
        made->next = first;
        made->seen = 0;
        made->ladder = ladder();
        first = made;
    }
    for (struct hook *at = first; at; at = at->next)
        if (at->ladder->below)
            at->seen = 1;
    for (struct hook *at = first; at; at = at->next) {
        if (at->seen != 1 || !at->ladder)
            reach_error();
        if (at->ladder->number != 4)
            reach_error();
    }
    return 0;
}
