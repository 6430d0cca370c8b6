// The slice with the lock is small, and its invariant shows the same of the whole program. Here it fails.
//# label ERROR: FALSE
extern int __VERIFIER_nondet_int(void);
static int held, waiting;
static int seen[8];

static void take(void)
{
    if (held) {
        ERROR: return;
    }
    held = 1;
}

static void give(void)
{
    held = 0;
}

static int busy(int n)
{
    int steps = 0;
    while (n > 1 && steps < 1000) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        seen[n & 7] = steps;
        steps++;
    }
    return steps;
}

static void work(void)
{
    int i;
    for (i = 0; i < 8; i++) {
        take();
        waiting += busy(__VERIFIER_nondet_int());
        if (waiting > 100) {
            take();
        }
        give();
    }
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        take();
        give();
        waiting += busy(__VERIFIER_nondet_int());
        work();
    }
    return 0;
}
