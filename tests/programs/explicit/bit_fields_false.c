// Bit-fields wrap at their own width and do not touch their neighbours.
//# call reach_error: FALSE
extern void reach_error(void);
struct s { unsigned a : 3; int b : 3; unsigned c : 10; };
int main(void) {
    struct s s = {0, 0, 0}, *p = &s;
    p->a = 9;
    p->b = 7;
    p->c = 1023;
    if (s.a == 1 && s.b == -1 && s.c == 1023)
        reach_error();
    return 0;
}
