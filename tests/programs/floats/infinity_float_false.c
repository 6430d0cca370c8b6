// A double that overflows float.
//# call reach_error: FALSE
extern void reach_error(void);

int main(void) {
    double d = 1e39;
    float f = (float)d;
    if (f > 3.4e38f)
        reach_error();
    return 0;
}
