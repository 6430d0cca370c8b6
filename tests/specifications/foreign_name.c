//# spec: foreign.spc
//# VERDICT: UNKNOWN (unsupported) foreign.spc:7:31: neither the automaton nor the program has a variable `missing`
extern int ask(void), tell(int);
int main(void) { return tell(ask()); }
