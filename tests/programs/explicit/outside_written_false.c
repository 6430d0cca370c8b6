// A pointer from outside that is kept in memory, and what it points to points back.
//# call reach_error: FALSE
extern void reach_error(void);
extern void *malloc(unsigned long);
struct part {
    int before;
    struct part *next;
};
extern struct part *outside(void);
int main(void) {
    struct part *list = malloc(sizeof(struct part));
    if (!list)
        return 0;
    list->before = 1;
    list->next = outside();
    if (!list->next)
        return 0;
    list->next->before = 2;
    if (list->before + list->next->before == 3 && list->next->next == list)
        reach_error();
    return 0;
}
