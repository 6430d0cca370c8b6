//# spec: recursion.spc
//# VERDICT: TRUE
int down(int n) {
    int m = n;
    if (n > 0) {
        n = down(n - 1);
        return n + 1;
    }
    return m;
}
int main(void) { return down(3); }
