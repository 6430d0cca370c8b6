// A local of a loop body has any value again in each round.
//# call reach_error: FALSE
extern void reach_error(void);
int main(void) {
    int seen = 0;
    for (int i = 0; i < 3; i++) {
        int fresh;
        if (i == 0 && fresh != 5)
            return 0;
        if (i == 2 && fresh == 6)
            reach_error();
    }
    return 0;
}
