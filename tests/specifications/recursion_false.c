//# spec: recursion.spc
//# VERDICT: FALSE
int down(int n) {
    if (n > 0)
        return down(n - 1) + (n != 2);
    return n;
}
int main(void) { return down(3); }
