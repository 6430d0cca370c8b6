//# holds: problems == 0
//# violated: problems == 1
// A hundred elements, sorted by qsort, by insertion, exchange, heap, quick, merge and shell sort: all give the same.
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
#define N 100
typedef int sorter(const void *, const void *);
static int compare(const void *a, const void *b) { int x = *(const int *) a, y = *(const int *) b; return (x > y) - (x < y); }
static void insertion(int *a, int n)
{
    for (int i = 1; i < n; i++) {
        int v = a[i], j = i;
        while (j > 0 && a[j - 1] > v) a[j] = a[j - 1], j--;
        a[j] = v;
    }
}
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static void bubble(int *a, int n)
{
    for (int again = 1; again;) {
        again = 0;
        for (int i = 1; i < n; i++) if (a[i - 1] > a[i]) swap(&a[i - 1], &a[i]), again = 1;
    }
}
static void sift(int *a, int from, int n)
{
    for (int child; (child = 2 * from + 1) < n; from = child) {
        if (child + 1 < n && a[child + 1] > a[child]) child++;
        if (a[from] >= a[child]) return;
        swap(&a[from], &a[child]);
    }
}
static void heap(int *a, int n)
{
    for (int i = n / 2 - 1; i >= 0; i--) sift(a, i, n);
    while (--n > 0) { swap(&a[0], &a[n]); sift(a, 0, n); }
}
static void quick(int *a, int n)
{
    if (n < 2) return;
    int pivot = a[n / 2], i = 0, j = n - 1;
    while (i <= j) {
        while (a[i] < pivot) i++;
        while (a[j] > pivot) j--;
        if (i <= j) swap(&a[i++], &a[j--]);
    }
    quick(a, j + 1);
    quick(a + i, n - i);
}
static void merge(int *a, int n)
{
    if (n < 2) return;
    int half = n / 2, other[n], i = 0, j = half, k = 0;
    merge(a, half);
    merge(a + half, n - half);
    while (i < half && j < n) other[k++] = a[i] <= a[j] ? a[i++] : a[j++];
    while (i < half) other[k++] = a[i++];
    while (j < n) other[k++] = a[j++];
    memcpy(a, other, (size_t) n * sizeof *a);
}
static void shell(int *a, int n)
{
    for (int gap = n / 2; gap; gap /= 2)
        for (int i = gap; i < n; i++)
            for (int j = i; j >= gap && a[j - gap] > a[j]; j -= gap) swap(&a[j], &a[j - gap]);
}
static void library(int *a, int n) { qsort(a, (size_t) n, sizeof *a, compare); }
int main(void)
{
    static void (*const sorts[])(int *, int) = { library, insertion, bubble, heap, quick, merge, shell };
    int reference[N], a[N], problems = 0;
    for (unsigned which = 0; which < sizeof sorts / sizeof *sorts; which++) {
        unsigned x = 2463534242u;
        for (int i = 0; i < N; i++) {
            x ^= x << 13, x ^= x >> 17, x ^= x << 5;
            a[i] = (int) (x % 1000) - 500;
        }
        sorts[which](a, N);
        if (which == 0) memcpy(reference, a, sizeof a);
        if (memcmp(reference, a, sizeof a)) problems++;
        for (int i = 1; i < N; i++) problems += a[i - 1] > a[i];
        int key = a[37];
        int *found = bsearch(&key, a, N, sizeof *a, compare);
        problems += !found || *found != key;
    }
    if (!(CLAIM)) reach_error();
    return 0;
}
