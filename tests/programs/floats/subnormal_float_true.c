// The same for float, where 149 are needed.
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
    float x = 1;
    int n = 0;
    for (; x * 0.5f > 0; n++)
        x *= 0.5f;
    if (n != 149)
        reach_error();
    return 0;
}
