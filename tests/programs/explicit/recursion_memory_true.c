// Each frame has its own array.
//# call reach_error: TRUE
extern void reach_error(void);
static int sum(int n, int *above) {
    int here[2] = {n, n + 1};
    if (n == 0)
        return above[0];
    int below = sum(n - 1, here);
    if (here[0] != n || above[1] != above[0] + 1)
        reach_error();
    return below + 1;
}
int main(void) {
    int start[2] = {7, 8};
    if (sum(6, start) != 7)
        reach_error();
    return 0;
}
