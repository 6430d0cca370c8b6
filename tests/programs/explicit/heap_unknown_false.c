// Fresh memory holds anything.
//# call reach_error: FALSE
extern void reach_error(void);
extern void *malloc(unsigned long);
int main(void) {
    int *p = malloc(2 * sizeof(int));
    p[0] = 1;
    if (p[1] == 77)
        reach_error();
    return 0;
}
