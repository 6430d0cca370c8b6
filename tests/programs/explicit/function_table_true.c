// Calls through a table go where the table says.
//# call reach_error: TRUE
extern void reach_error(void);
static int one(void) { return 1; }
static int two(void) { return 2; }
static int (*table[2])(void) = {one, two};
int main(void) {
    for (int i = 0; i < 2; i++)
        if (table[i]() != i + 1)
            reach_error();
    return 0;
}
