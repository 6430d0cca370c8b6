// A loop that counts by quarters ends exactly.
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
    double t = 0;
    int n = 0;
    for (; t != 25.0; t += 0.25)
        n++;
    if (n != 100)
        reach_error();
    return 0;
}
