// A counter that calls change grows by what another function computes.
//# call reach_error: TRUE
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int moves;
void move(int n, int side) {
    if (n == 0)
        return;
    move(n - 1, 1 - side);
    moves = moves + 2;
    move(n - 1, side);
}
int needed(int n) {
    if (n == 0)
        return 0;
    return 2 * needed(n - 1) + 2;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 24)
        return 0;
    moves = 0;
    move(n, 0);
    if (moves != needed(n))
        reach_error();
    return 0;
}
