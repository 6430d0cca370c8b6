// Neighbours.
//# call reach_error: TRUE
extern void reach_error(void);
double nextafter(double, double);
float nextafterf(float, float);

int main(void) {
    if (nextafter(1.0, 2.0) != 1 + 0x1p-52 || nextafter(1.0, 0.0) != 1 - 0x1p-53 || nextafter(0.0, -1.0) != -0x1p-1074)
        reach_error();
    if (nextafterf(1.0f, 2.0f) != 1 + 0x1p-23f || nextafter(0x1.fffffffffffffp1023, 1e309) != __builtin_inf())
        reach_error();
    return 0;
}
