// Numbers next to a large one.
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
    double big = 9007199254740992.0;
    if (big + 1 != big || big + 2 == big || big - 1 == big || (big + 1) - big != 0)
        reach_error();
    return 0;
}
