// Each frame of a recursive function has variables of its own.
//# label A: TRUE
//# label B: FALSE
//# value A: TRUE
//# value B: FALSE
int depth;
int down(int n) {
    int here = n, below;
    if (n == 0)
        return 1;
    depth = depth + 1;
    below = down(n - 1);
    if (here != n) { A: return 9; }
    return below + 1;
}
int main(void) {
    if (down(3) == 4 && depth == 3) { B: return 2; }
    return 0;
}
