// Linear interpolation in a table hits the points.
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
    static const float xs[4] = {0, 1, 2.5f, 4}, ys[4] = {1, 3, -1, 0};
    for (int i = 0; i < 3; i++) {
        float t = (xs[i] - xs[i]) / (xs[i + 1] - xs[i]);
        if (ys[i] + t * (ys[i + 1] - ys[i]) != ys[i])
            reach_error();
        t = (xs[i + 1] - xs[i]) / (xs[i + 1] - xs[i]);
        if (ys[i] + t * (ys[i + 1] - ys[i]) != ys[i + 1])
            reach_error();
    }
    return 0;
}
