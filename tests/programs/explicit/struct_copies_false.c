// A struct with an array is copied as a whole, padding and all; the copy is its own.
//# call reach_error: FALSE
extern void reach_error(void);
struct s { char tag; int a[3]; long last; };
int main(void) {
    struct s x = {'x', {1, 2, 3}, 4}, y[2];
    y[1] = x;
    x.a[1] = 20;
    y[0] = y[1];
    y[1].last = 9;
    if (y[0].a[1] == 2 && y[0].last == 4 && y[0].tag == 'x' && x.a[1] == 20)
        reach_error();
    return 0;
}
