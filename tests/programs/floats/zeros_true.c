// The zeros are equal, and their reciprocals are not.
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
    double plus = 0.0, minus = -plus;
    if (plus != minus || 1 / plus == 1 / minus || !(1 / minus < 0) || plus + minus != 0 || 1 / (plus + minus) < 0)
        reach_error();
    return 0;
}
