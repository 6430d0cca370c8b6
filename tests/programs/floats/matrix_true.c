// A rotation by a quarter, four times.
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
    double m[2][2] = {{0, -1}, {1, 0}}, v[2] = {3.5, -1.25};
    for (int i = 0; i < 4; i++) {
        double x = m[0][0] * v[0] + m[0][1] * v[1], y = m[1][0] * v[0] + m[1][1] * v[1];
        v[0] = x;
        v[1] = y;
    }
    if (v[0] != 3.5 || v[1] != -1.25)
        reach_error();
    return 0;
}
