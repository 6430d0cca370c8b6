/* Memory management, errno, hooks, random numbers. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern void reach_error(void);
extern void finished(void);
static void check(int holds) { if (!holds) reach_error(); }

struct hooks {
    void *(*allocate)(size_t);
    void (*release)(void *);
    void *(*resize)(void *, size_t);
};

static struct hooks hooks = { malloc, free, realloc };

static char *copy_by_hooks(const char *s) {
    char *copy = hooks.allocate(strlen(s) + 1);
    if (copy)
        strcpy(copy, s);
    return copy;
}

int main(void) {
    int *zeros = calloc(5, sizeof(int));
    if (zeros == 0)
        return 1;
    check(zeros[0] == 0 && zeros[4] == 0);
    free(zeros);
    char *s = copy_by_hooks("hooked");
    if (s == 0)
        return 1;
    check(strcmp(s, "hooked") == 0);
    hooks.release(s);
    void *aligned = 0;
    check(posix_memalign(&aligned, 3, 8) == EINVAL && aligned == 0);
    if (posix_memalign(&aligned, 64, 8) != 0)
        return 1;
    check(aligned != 0);
    free(aligned);
    errno = 7;
    check(errno == 7);
    check(reallocarray(0, SIZE_MAX / 2, 3) == 0 && errno == ENOMEM);
    int (*roll)(void) = rand;
    check(rand() >= 0 && roll() <= RAND_MAX && random() >= 0 && random() <= 2147483647);
    srand(5);
    check(abs(-1) == 1);
    finished();
    return 0;
}
