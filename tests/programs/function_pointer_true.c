// The handler in the table is the one that is called.
//# call reach_error: TRUE
extern void reach_error(void);
static int twice(int x) { return x + x; }
static int minus(int x) { return -x; }
struct table { int (*first)(int); int (*second)(int); };
static struct table handlers = {twice, minus};
int main(void) {
    if (handlers.first(4) != 8 || handlers.second(4) != -4)
        reach_error();
    return 0;
}
