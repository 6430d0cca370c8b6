// A counter that float cannot move.
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
    float f = 16777216.0f;
    int n = 0;
    while (f < 16777300.0f && n < 1000) {
        f += 1.0f;
        n++;
    }
    if (n != 1000 || f != 16777216.0f)
        reach_error();
    return 0;
}
