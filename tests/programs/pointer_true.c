// A write through a pointer reaches the variable, and only that one.
//# call reach_error: TRUE
extern void reach_error(void);
int main(void) {
    int x = 1, y = 2;
    int *p = &x;
    *p = 5;
    if (x != 5 || y != 2)
        reach_error();
    return 0;
}
