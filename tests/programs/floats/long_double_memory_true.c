// Numbers of the x87 format in arrays and structures.
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
    struct point {
        long double x, y;
    } points[3];
    for (int i = 0; i < 3; i++) {
        points[i].x = i + 0.5L;
        points[i].y = points[i].x / 3;
    }
    struct point copy = points[2];
    if (copy.x != 2.5L || copy.y != 2.5L / 3 || copy.y == 2.5 / 3)
        reach_error();
    return 0;
}
