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
