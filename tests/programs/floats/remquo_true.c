// The lowest bits of a rounded quotient.
//# call reach_error: TRUE
extern void reach_error(void);
double remquo(double, double, int *);

int main(void) {
    int q;
    if (remquo(29.0, 3.0, &q) != -1 || (q & 7) != 2 || remquo(-7.0, 2.0, &q) != 1 || q != -4)
        reach_error();
    if (remquo(10.5, 3.0, &q) != -1.5 || (q & 7) != 4)
        reach_error();
    return 0;
}
