//# spec: foreign.spc
//# VERDICT: UNKNOWN (unsupported) foreign.spc:9:22: `CHECK` asks the analysis `location` whether "functionName==main"; only the program itself can be asked here
extern int ask(void), query(void);
int main(void) { ask(); return query(); }
