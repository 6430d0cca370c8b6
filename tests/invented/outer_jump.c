//# UNKNOWN: the jump to `out` out of a nested function is not followed
extern void reach_error(void);
static int leave(int n) {
    __label__ out;
    int inner(int i) {
        if (i == 2) goto out;
        return 0;
    }
    return inner(n);
out:
    return 1;
}
int main(void) {
    if (leave(2) == 1) reach_error();
    return 0;
}
