// String literals and their ends.
//# call reach_error: TRUE
extern void reach_error(void);
static int length(const char *s) { int n = 0; while (*s++) n++; return n; }
int main(void) {
    char text[] = "four";
    if (length("hello") != 5 || length(text) != 4 || sizeof text != 5)
        reach_error();
    return 0;
}
