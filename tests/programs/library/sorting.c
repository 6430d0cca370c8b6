/* Sorting and searching call back into the program. */
#define _GNU_SOURCE
#include <search.h>
#include <stdlib.h>
#include <string.h>

extern void reach_error(void);
extern void finished(void);
extern int __VERIFIER_nondet_int(void);
static void check(int holds) { if (!holds) reach_error(); }

struct item { char name[4]; short weight; };
static int calls;

static int by_number(const void *a, const void *b) {
    calls++;
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct item *)a)->name, ((const struct item *)b)->name);
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int with_sign(const void *a, const void *b, void *sign) {
    return *(int *)sign * by_number(a, b);
}

int main(void) {
    int numbers[100];
    for (int i = 0; i < 100; i++)
        numbers[i] = i * 37 % 101;
    qsort(numbers, 100, sizeof numbers[0], by_number);
    for (int i = 1; i < 100; i++)
        check(numbers[i - 1] < numbers[i]);
    check(calls > 99);
    int key = 50, none = 37 * 100 % 101;
    int *found = bsearch(&key, numbers, 100, sizeof numbers[0], by_number);
    check(found != 0 && *found == 50);
    check(bsearch(&none, numbers, 100, sizeof numbers[0], by_number) == 0);
    int sign = -1;
    qsort_r(numbers, 100, sizeof numbers[0], with_sign, &sign);
    for (int i = 1; i < 100; i++)
        check(numbers[i - 1] > numbers[i]);
    struct item items[4] = { { "oak", 4 }, { "ash", 1 }, { "fir", 3 }, { "elm", 2 } };
    qsort(items, 4, sizeof items[0], by_name);
    for (int i = 0; i < 4; i++)
        check(items[i].weight == i + 1);
    const char *texts[3] = { "c", "a", "b" };
    qsort(texts, 3, sizeof texts[0], by_text);
    check(texts[0][0] == 'a' && texts[1][0] == 'b' && texts[2][0] == 'c');
    int inputs[3] = { __VERIFIER_nondet_int(), __VERIFIER_nondet_int(), __VERIFIER_nondet_int() };
    qsort(inputs, 3, sizeof inputs[0], by_number);
    check(inputs[0] <= inputs[1] && inputs[1] <= inputs[2]);
    size_t count = 2;
    int list[4] = { 5, 6 };
    int six = 6, seven = 7;
    check(lfind(&six, list, &count, sizeof(int), by_number) == list + 1 && lfind(&seven, list, &count, sizeof(int), by_number) == 0);
    check(lsearch(&seven, list, &count, sizeof(int), by_number) == list + 2 && count == 3 && list[2] == 7);
    finished();
    return 0;
}
