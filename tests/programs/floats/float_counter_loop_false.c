// A loop that counts by tenths does one round more.
//# call reach_error: FALSE
extern void reach_error(void);

int main(void) {
    int n = 0;
    for (double t = 0; t < 1.0; t += 0.1)
        n++;
    if (n != 10)
        reach_error();
    return 0;
}
