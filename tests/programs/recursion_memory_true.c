//# call reach_error: TRUE
// Each frame of the recursion has its variable in memory at an address of its own. No bound of the recursion is known: summaries prove it.
extern int __VERIFIER_nondet_int(void);
void reach_error(void);

static int locked;

static void lock(void) {
    if (locked)
        reach_error();
    locked = 1;
}

static void unlock(void) {
    locked = 0;
}

static void get(int *place) {
    *place = __VERIFIER_nondet_int();
}

static void walk(void) {
    int count;
    get(&count);
    lock();
    if (count > 7) {
        unlock();
        walk();
        lock();
    }
    unlock();
}

int main(void) {
    walk();
    return 0;
}
