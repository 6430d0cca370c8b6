//# spec: foreign.spc
//# VERDICT: UNKNOWN (unsupported) foreign.spc:8:23: `MODIFY` changes the state of the analysis `SomeAnalysis`, which there is none of here
extern int ask(void), change(void);
int main(void) { ask(); return change(); }
