// A low-pass filter's answer to a step never overshoots and comes near.
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
    double y = 0, before = 0;
    for (int i = 0; i < 200; i++) {
        y = 0.9 * y + 0.1 * 1.0;
        if (y < before || y > 1.0000001)
            reach_error();
        before = y;
    }
    if (y < 0.99999)
        reach_error();
    return 0;
}
