// From a decimal text by double to float is not from the text to float.
//# call reach_error: TRUE
extern void reach_error(void);

int main(void) {
    float once = 1.00000017881393432617187499f, twice = (float)1.00000017881393432617187499;
    if (once == twice)
        reach_error();
    return 0;
}
