//# UNKNOWN: a violation depends on the result of `rand()`
extern void reach_error(void);
extern int rand(void);
extern void srand(unsigned seed);
int main(void) {
    srand(3);
    int first = rand();
    srand(3);
    if (rand() != first) reach_error();
    return 0;
}
