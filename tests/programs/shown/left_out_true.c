// A word is held while numbers are counted. The property does not depend on the numbers, so the slice has no loop at which the word is held: its invariant is about less than a proof for the whole program needs.
//# label ERROR: TRUE
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned mode, held;
static unsigned sum, largest;

static void count(unsigned bound)
{
    unsigned i = 0;
    while (i < bound) {
        unsigned low = (bound & 1) | (bound & 2) << 7 | (bound & 4) << 14 | (bound & 8) << 21;
        unsigned high = (i & 1) | (i & 2) << 7 | (i & 4) << 14 | (i & 8) << 21;
        sum = sum * 31 + (low * 255 ^ high * 255);
        if (sum > largest) {
            largest = sum;
        }
        i++;
    }
}

static void check(void)
{
    if (held != mode) {
        ERROR: return;
    }
}

int main(void)
{
    while (__VERIFIER_nondet_uint()) {
        mode = __VERIFIER_nondet_uint();
        held = mode;
        count(__VERIFIER_nondet_uint());
        check();
        mode = 0;
        held = 7;
        count(sum);
    }
    return 0;
}
