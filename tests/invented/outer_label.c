//# UNKNOWN: a nested function takes the address of the label `out` around it
extern void reach_error(void);
int main(void) {
    __label__ out;
    void *where(void) { return &&out; }
    goto *where();
    return 0;
out:
    reach_error();
    return 0;
}
