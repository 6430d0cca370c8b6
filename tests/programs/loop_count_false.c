// The loop runs once more than the check believes.
//# call reach_error: FALSE
extern void reach_error(void);
int main(void) {
    int i = 0;
    while (i <= 5)
        i++;
    if (i != 5)
        reach_error();
    return 0;
}
