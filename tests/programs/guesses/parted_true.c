//# call reach_error: TRUE
// Each reading goes to one of two arrays, which together have as many.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define COUNT 2000

int main(void) {
    int cold[COUNT], warm[COUNT], colds = 0, warms = 0;
    for (int i = 0; i < COUNT; i++) {
        int reading = __VERIFIER_nondet_int();
        if (reading < 40)
            cold[colds++] = reading;
        else
            warm[warms++] = reading;
    }
    for (int i = 0; i < colds; i++)
        if (cold[i] >= 40)
            reach_error();
    for (int i = 0; i < warms; i++)
        if (warm[i] < 40)
            reach_error();
    if (colds + warms != COUNT)
        reach_error();
    return 0;
}
