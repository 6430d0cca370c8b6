// A bit-field narrower than int is promoted to int, whether it is read, assigned, incremented or behind a comma; a cast of it is not.
//# call reach_error: TRUE
extern void reach_error(void);
struct flags { unsigned low : 7; unsigned whole : 32; };
int main(void) {
    struct flags f;
    f.low = 127;
    f.whole = 7;
    if (f.low < -40000 || (f.low = 5) < -1 || f.low++ < -1 || ++f.low < -1 || (f.low += 1) < -1 || (0, f.low) < -1)
        reach_error();
    if ((unsigned)f.low > -40000 || f.whole > -1)
        reach_error();
    return 0;
}
