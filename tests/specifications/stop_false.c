//# spec: stop.spc
//# VERDICT: FALSE
extern int level(int), set(int);

int main(void) {
    int x = level(10);
    set(x - 1);
    return 0;
}
