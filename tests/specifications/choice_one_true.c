//# spec: choice.spc
//# VERDICT: TRUE
extern void step(int), left(void), right(void);
int main(void) {
    step(1);
    right();
    step(-5);
    right();
    return 0;
}
