// -1 converted to unsigned is greater than 1.
//# call reach_error: FALSE
extern void reach_error(void);
int main(void) {
    int minus = -1;
    unsigned one = 1;
    if (minus > one)
        reach_error();
    return 0;
}
