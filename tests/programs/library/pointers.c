/* Calls through pointers to functions that the program does not define. */
#include <stdlib.h>
#include <string.h>

extern void reach_error(void);
extern void finished(void);
extern int __VERIFIER_nondet_int(void);
static void check(int holds) { if (!holds) reach_error(); }

struct operations {
    void (*stop)(int);
    void *(*copy)(void *, const void *, size_t);
    void *(*fill)(void *, int, size_t);
    int (*input)(void);
    void (*last)(void);
};

static const struct operations operations = { exit, memcpy, memset, __VERIFIER_nondet_int, finished };

int main(void) {
    char a[4] = "abc", b[4];
    check(operations.copy(b, a, 4) == b && b[2] == 'c');
    operations.fill(b, 'x', 2);
    check(b[0] == 'x' && b[1] == 'x' && b[2] == 'c');
    int number = operations.input();
    if (number == 12345) {
        operations.stop(1);
        reach_error();
    }
    operations.last();
    return 0;
}
