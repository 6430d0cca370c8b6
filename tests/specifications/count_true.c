//# spec: count.spc
//# VERDICT: TRUE
extern int __VERIFIER_nondet_int(void);
extern void begin(int);
void end(int x, int y) {}

int main(void) {
    begin(1);
    if (__VERIFIER_nondet_int()) {
        begin(2);
        begin(3);
        end(3, 0);
        end(2, 0);
    }
    end(1, 0);
    return 0;
}
