// A counting loop stops exactly at its bound.
//# call reach_error: TRUE
extern void reach_error(void);
int main(void) {
    int i = 0;
    while (i < 5)
        i++;
    if (i != 5)
        reach_error();
    return 0;
}
