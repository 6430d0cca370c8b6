//# label FOUND: FALSE
//# label NEVER: TRUE
// The exploration finds one violation at once, and later stages are asked about the other label only.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned rounds = __VERIFIER_nondet_uint();
    unsigned done = 0;
    if (rounds == 7) {
FOUND:
        done = 1;
    }
    while (done < rounds)
        done++;
    if (done > rounds) {
NEVER:
        return 1;
    }
    return 0;
}
