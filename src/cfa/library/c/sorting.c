/* stdlib.h: sorting and searching (ISO C11, 7.22.5). The order of elements that compare equal is unspecified; here they keep theirs, as with glibc's merge sort.
   A comparison that contradicts itself is undefined; here it leaves some permutation. */

typedef int (*library_compare)(const void *, const void *);
typedef int (*library_compare_with)(const void *, const void *, void *);

/* Sorts `count` elements of `size` bytes: each is inserted behind all that are not greater. */
void qsort(void *base, size_t count, size_t size, library_compare compare) {
    if (count < 2 || size == 0)
        return;
    char *elements = base;
    char *moved = __builtin_alloca(size);
    for (size_t i = 1; i < count; i++) {
        size_t low = 0, high = i;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (compare(elements + middle * size, elements + i * size) > 0)
                high = middle;
            else
                low = middle + 1;
        }
        if (low < i) {
            memcpy(moved, elements + i * size, size);
            memmove(elements + (low + 1) * size, elements + low * size, (i - low) * size);
            memcpy(elements + low * size, moved, size);
        }
    }
}

static library_compare_with qsort_compare;
static void *qsort_with;

static int qsort_adapter(const void *a, const void *b) {
    return qsort_compare(a, b, qsort_with);
}

/* As qsort; the comparison gets `with`, too (GNU). It sorts nothing that way itself. */
void qsort_r(void *base, size_t count, size_t size, library_compare_with compare, void *with) {
    qsort_compare = compare;
    qsort_with = with;
    qsort(base, count, size, qsort_adapter);
}

/* An element that compares equal to the key, or null. The elements are sorted. Which of several equal ones is unspecified: here, as with glibc, the first
   that halving meets. */
void *bsearch(const void *key, const void *base, size_t count, size_t size, library_compare compare) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *element = (const char *)base + middle * size;
        int order = compare(key, element);
        if (order < 0)
            high = middle;
        else if (order > 0)
            low = middle + 1;
        else
            return (void *)element;
    }
    return (void *)0;
}

/* The first element that compares equal to the key, or null (POSIX, search.h). */
void *lfind(const void *key, const void *base, size_t *count, size_t size, library_compare compare) {
    const char *element = base;
    for (size_t i = 0; i < *count; i++, element += size)
        if (compare(key, element) == 0)
            return (void *)element;
    return (void *)0;
}

/* As lfind, but appends the key where it finds none. */
void *lsearch(const void *key, void *base, size_t *count, size_t size, library_compare compare) {
    void *found = lfind(key, base, count, size, compare);
    if (found != 0)
        return found;
    char *end = (char *)base + *count * size;
    for (size_t i = 0; i < size; i++)
        end[i] = ((const char *)key)[i];
    *count += 1;
    return end;
}
