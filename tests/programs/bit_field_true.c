// A bit-field of three bits keeps three bits; its neighbour is left alone.
//# call reach_error: TRUE
extern void reach_error(void);
struct flags { unsigned mode : 3; unsigned rest : 5; };
int main(void) {
    struct flags f;
    f.mode = 0;
    f.rest = 21;
    f.mode = 13;
    if (f.mode != 5 || f.rest != 21)
        reach_error();
    return 0;
}
