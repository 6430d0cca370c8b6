/* Types and functions that the files of the library share. Numbers of errors and signals are those of Linux. */

typedef __typeof__(sizeof(int)) size_t;
typedef __typeof__((char *)1 - (char *)0) ssize_t;
typedef __typeof__(L'x') wchar_t;

enum { EINTR = 4, EBADF = 9, ENOMEM = 12, EINVAL = 22, ERANGE = 34 };

void __VERIFIER_assume(int holds);

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
void free(void *old);
void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
__attribute__((noreturn)) void abort(void);
__attribute__((noreturn)) void exit(int status);
__attribute__((noreturn)) void _exit(int status);

__attribute__((pure)) size_t strlen(const char *s);
__attribute__((pure)) size_t strnlen(const char *s, size_t size);
__attribute__((pure)) void *memchr(const void *s, int byte, size_t size);
__attribute__((pure)) void *memrchr(const void *s, int byte, size_t size);
__attribute__((pure)) void *rawmemchr(const void *s, int byte);
__attribute__((pure)) char *strchr(const char *s, int c);
__attribute__((pure)) char *strchrnul(const char *s, int c);
__attribute__((pure)) char *strrchr(const char *s, int c);
__attribute__((pure)) char *index(const char *s, int c);
__attribute__((pure)) char *rindex(const char *s, int c);
__attribute__((pure)) size_t strspn(const char *s, const char *set);
__attribute__((pure)) size_t strcspn(const char *s, const char *set);
__attribute__((pure)) char *strpbrk(const char *s, const char *set);
__attribute__((pure)) char *strstr(const char *s, const char *part);
__attribute__((pure)) char *strcasestr(const char *s, const char *part);
__attribute__((pure)) void *memmem(const void *s, size_t size, const void *part, size_t part_size);
__attribute__((pure)) int memcmp(const void *a, const void *b, size_t size);
__attribute__((pure)) int bcmp(const void *a, const void *b, size_t size);
__attribute__((pure)) int strcmp(const char *a, const char *b);
__attribute__((pure)) int strncmp(const char *a, const char *b, size_t size);
__attribute__((pure)) int strcoll(const char *a, const char *b);
__attribute__((pure)) int strcasecmp(const char *a, const char *b);
__attribute__((pure)) int strncasecmp(const char *a, const char *b, size_t size);
__attribute__((const)) int ffs(int value);
__attribute__((const)) int ffsl(long value);
__attribute__((const)) int ffsll(long long value);

__attribute__((const)) int isalnum(int c);
__attribute__((const)) int isalpha(int c);
__attribute__((const)) int isascii(int c);
__attribute__((const)) int isblank(int c);
__attribute__((const)) int iscntrl(int c);
__attribute__((const)) int isdigit(int c);
__attribute__((const)) int isgraph(int c);
__attribute__((const)) int islower(int c);
__attribute__((const)) int isprint(int c);
__attribute__((const)) int ispunct(int c);
__attribute__((const)) int isspace(int c);
__attribute__((const)) int isupper(int c);
__attribute__((const)) int isxdigit(int c);
__attribute__((const)) int toascii(int c);
__attribute__((const)) unsigned htonl(unsigned number);
__attribute__((const)) unsigned ntohl(unsigned number);
__attribute__((const)) unsigned short htons(unsigned short number);
__attribute__((const)) unsigned short ntohs(unsigned short number);
__attribute__((const)) int tolower(int c);
__attribute__((const)) int toupper(int c);
__attribute__((const)) int _tolower(int c);
__attribute__((const)) int _toupper(int c);

__attribute__((const)) int *__errno_location(void);
__attribute__((const)) int abs(int n);
__attribute__((const)) long labs(long n);
__attribute__((const)) long long llabs(long long n);
long strtol(const char *s, char **end, int base);
unsigned long strtoul(const char *s, char **end, int base);
long long strtoll(const char *s, char **end, int base);
unsigned long long strtoull(const char *s, char **end, int base);
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
void *lfind(const void *key, const void *base, size_t *count, size_t size, int (*compare)(const void *, const void *));
char *strtok_r(char *s, const char *separators, char **rest);

/* What a conversion specification of a format for input says: whether the value is kept, its width (-1 for none), its length modifier. */
struct __provident_reading {
    int kept, width, size;
};

/* A stream: whether its end was met, whether an error occurred, which bytes were put back, and what formatted input left behind:
   in `after` 1 for no white space, 2 for no digit of `base`. */
struct __provident_stream {
    int end, error, pushed;
    unsigned char back[8];
    int after;
    unsigned base;
};

/* Decimal digits of a number in groups of nine: those of the integer end with the group at `units`; those from `first` up to, not including, `end` are in use. Digits
   that are worth less than ten to the power `least` are cut off: they count as 0. */
struct __provident_digits {
    unsigned *group;
    int units, first, end;
    int least;
};
