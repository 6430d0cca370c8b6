// Locals of different depths are different variables.
//# call reach_error: FALSE
extern void reach_error(void);
static int depth(int n) {
    int mine = n;
    if (n < 3)
        depth(n + 1);
    return mine;
}
int main(void) {
    if (depth(0) == 0)
        reach_error();
    return 0;
}
