/* Functions whose calls are operations of the verifier, for those who call them through a pointer. */

void *malloc(size_t size) {
    return __builtin_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return __builtin_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    return __builtin_realloc(old, size);
}

void free(void *old) {
    __builtin_free(old);
}

void *memcpy(void *to, const void *from, size_t size) {
    return __builtin_memcpy(to, from, size);
}

void *memmove(void *to, const void *from, size_t size) {
    return __builtin_memmove(to, from, size);
}

void *memset(void *to, int byte, size_t size) {
    return __builtin_memset(to, byte, size);
}

void abort(void) {
    __builtin_abort();
}

void exit(int status) {
    __builtin_exit(status);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return __builtin_aligned_alloc(alignment, size);
}

void bzero(void *to, size_t size) {
    __builtin_memset(to, 0, size);
}

void _exit(int status) {
    __builtin__exit(status);
}

void _Exit(int status) {
    __builtin__exit(status);
}
