// A negative number has ones in its upper word.
//# call reach_error: FALSE
extern void reach_error(void);
extern long __VERIFIER_nondet_long(void);

int main(void) {
    long s = __VERIFIER_nondet_long();
    __int128 t = s;
    if (s < 100 && (unsigned __int128)t > 1000)
        reach_error();
    return 0;
}
