//# spec: several.spc
//# PROPERTY several/never: FALSE
//# PROPERTY several/opened: FALSE
//# PROPERTY several/closed: TRUE
//# VERDICT: FALSE
extern int __VERIFIER_nondet_int(void);
extern void open(void), use(void), close(void);

int main(void) {
    use();
    open();
    use();
    close();
    if (__VERIFIER_nondet_int()) {
    Bad_1:
        open();
        close();
    }
    return 0;
}
