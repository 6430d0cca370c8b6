// The value of an assignment is that of the place to which it assigned, also where it changes the pointer through which this place was found.
//# call reach_error: TRUE
extern void reach_error(void);
struct node { struct node *next; int value; };
static struct node *global;
int main(void) {
    struct node a = {&a, 1};
    struct node *r = a.next->next = 0;
    if (r)
        reach_error();
    struct node list[2] = {{list, 5}, {0, 6}};
    r = list[0].next->next += 1;
    if (r != &list[1])
        reach_error();
    struct node other[2] = {{other, 7}, {0, 8}};
    r = ++(other[0].next->next);
    if (r != &other[1])
        reach_error();
    global = &other[1];
    other[1].next = &other[1];
    if ((global->next->next = &a) != &a || other[1].next != &a)
        reach_error();
    int indices[3] = {0, 2, 0};
    int written = indices[indices[0]] = 1;
    return written != 1 || indices[0] != 1;
}
