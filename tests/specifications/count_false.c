//# spec: count.spc
//# VERDICT: FALSE
extern int __VERIFIER_nondet_int(void);
extern void begin(int);
void end(int x, int y) {}

int main(void) {
    begin(1);
    if (__VERIFIER_nondet_int())
        begin(2);
    end(2, 0);
    return 0;
}
