/* Types and functions that the files of the library share. */

typedef __typeof__(sizeof(int)) size_t;
typedef __typeof__((char *)1 - (char *)0) ssize_t;
typedef __typeof__(L'x') wchar_t;

void __VERIFIER_assume(int holds);

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);
void free(void *old);
void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
__attribute__((noreturn)) void abort(void);
__attribute__((noreturn)) void exit(int status);

__attribute__((pure)) size_t strlen(const char *s);
__attribute__((pure)) int memcmp(const void *a, const void *b, size_t size);
int *__errno_location(void);
