// A list of two elements, the second of which is found by its value.
//# call reach_error: FALSE
#include <stddef.h>
extern void *malloc(size_t);
extern void reach_error(void);
struct node { int value; struct node *next; };
int main(void) {
    struct node *a = malloc(sizeof *a);
    struct node *b = malloc(sizeof *b);
    a->value = 1;
    a->next = b;
    b->value = 2;
    b->next = NULL;
    struct node *p = a;
    while (p) {
        if (p->value == 2)
            reach_error();
        p = p->next;
    }
    return 0;
}
