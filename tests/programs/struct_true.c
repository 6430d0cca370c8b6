// A copied struct does not follow the original.
//# call reach_error: TRUE
extern void reach_error(void);
struct point { int x; int y; };
int main(void) {
    struct point p = {1, 2};
    struct point q = p;
    p.x = 10;
    if (q.x != 1 || q.y != 2)
        reach_error();
    return 0;
}
