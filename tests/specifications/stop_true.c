//# spec: stop.spc
//# VERDICT: TRUE
extern int level(int), set(int);

int main(void) {
    int x = level(10);
    set(x);
    if (x > 10)
        set(-1);
    return 0;
}
