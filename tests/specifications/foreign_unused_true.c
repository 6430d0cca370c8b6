//# spec: foreign.spc
//# VERDICT: TRUE
extern int ask(void);
int main(void) { return ask() + ask(); }
