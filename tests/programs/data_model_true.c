// In ILP32, long has the size of int.
//# data-model ILP32
//# call reach_error: TRUE
extern void reach_error(void);
int main(void) {
    if (sizeof(long) != sizeof(int) || sizeof(void *) != 4)
        reach_error();
    return 0;
}
