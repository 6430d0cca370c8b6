//# spec: choice.spc
//# VERDICT: FALSE
extern void step(int), left(void), right(void);
int main(void) {
    step(2);
    right();
    return 0;
}
