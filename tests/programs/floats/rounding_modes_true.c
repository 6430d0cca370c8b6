// The mode that is set is the one that is used.
//# call reach_error: TRUE
extern void reach_error(void);
int fesetround(int), fegetround(void);

int main(void) {
    double one = 1, three = 3;
    double near = one / three;
    fesetround(0x800);
    double up = one / three;
    fesetround(0x400);
    double down = one / three;
    int mode = fegetround();
    fesetround(0);
    if (!(down < up) || (near != down && near != up) || mode != 0x400 || one / three != near)
        reach_error();
    return 0;
}
