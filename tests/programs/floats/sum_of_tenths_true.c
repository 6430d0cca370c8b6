// Ten times 0.1 is not 1, and Kahan's summation makes it so.
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
    double plain = 0, sum = 0, lost = 0;
    for (int i = 0; i < 10; i++) {
        plain += 0.1;
        double next = 0.1 - lost, grown = sum + next;
        lost = (grown - sum) - next;
        sum = grown;
    }
    if (plain == 1.0 || sum != 1.0)
        reach_error();
    return 0;
}
