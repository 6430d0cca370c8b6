//# spec: several.spc
//# PROPERTY several/never: TRUE
//# PROPERTY several/opened: TRUE
//# PROPERTY several/closed: FALSE
//# VERDICT: FALSE
extern int __VERIFIER_nondet_int(void);
extern void open(void), use(void), close(void);

int main(void) {
    open();
    for (int i = 0; i < 3; i++) {
        use();
        if (__VERIFIER_nondet_int())
            break;
        close();
        open();
    }
    return 0;
}
