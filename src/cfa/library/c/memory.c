/* stdlib.h: memory management in terms of malloc, realloc and free (ISO C11, 7.22.3; POSIX.1; BSD). */

/* As realloc with the product of the sizes, which has to fit; otherwise it fails, and the old object stays. */
void *reallocarray(void *old, size_t count, size_t size) {
    if (size != 0 && count > ~(size_t)0 / size) {
        *__errno_location() = ENOMEM;
        return (void *)0;
    }
    return realloc(old, count * size);
}

/* As realloc, but gives the old object back where it fails (BSD). */
void *reallocf(void *old, size_t size) {
    void *object = realloc(old, size);
    if (object == 0 && size != 0)
        free(old);
    return object;
}

/* Stores a new object at the address `*result` and returns 0, or returns the number of an error. */
int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
        return EINVAL;
    void *object = aligned_alloc(alignment, size);
    if (object == 0)
        return ENOMEM;
    *result = object;
    return 0;
}

/* An object of whole pages. */
void *pvalloc(size_t size) {
    return aligned_alloc(4096, (size + 4095) / 4096 * 4096);
}
