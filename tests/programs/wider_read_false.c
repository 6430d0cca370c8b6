// What lies behind `c` is not known; C leaves the read undefined, which the ledger says.
//# call reach_error: FALSE
extern void reach_error(void);

int main(void) {
    char c = 50;
    void *p = &c;
    if (*(unsigned *)p == 50)
        reach_error();
    return 0;
}
