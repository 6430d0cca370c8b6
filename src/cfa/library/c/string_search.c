/* string.h, strings.h: lengths and searches (ISO C11, 7.24.5 and 7.24.6; POSIX.1; GNU). */

/* The number of bytes before the first zero. */
size_t strlen(const char *s) {
    size_t n = 0;
    while (s[n] != 0)
        n++;
    return n;
}

/* The number of bytes before the first zero, at most `size`. */
size_t strnlen(const char *s, size_t size) {
    size_t n = 0;
    while (n < size && s[n] != 0)
        n++;
    return n;
}

/* The first of `size` bytes that is `byte`, or null. */
void *memchr(const void *s, int byte, size_t size) {
    const unsigned char *p = s;
    for (size_t i = 0; i < size; i++)
        if (p[i] == (unsigned char)byte)
            return (void *)(p + i);
    return (void *)0;
}

/* The last of `size` bytes that is `byte`, or null. */
void *memrchr(const void *s, int byte, size_t size) {
    const unsigned char *p = s;
    while (size > 0) {
        size--;
        if (p[size] == (unsigned char)byte)
            return (void *)(p + size);
    }
    return (void *)0;
}

/* The first byte that is `byte`; there is one. */
void *rawmemchr(const void *s, int byte) {
    const unsigned char *p = s;
    while (*p != (unsigned char)byte)
        p++;
    return (void *)p;
}

/* The first character of a string that is `c`, its zero included, or null. */
char *strchr(const char *s, int c) {
    while (*s != (char)c) {
        if (*s == 0)
            return 0;
        s++;
    }
    return (char *)s;
}

char *index(const char *s, int c) {
    return strchr(s, c);
}

/* As strchr, but the string's zero where there is no such character. */
char *strchrnul(const char *s, int c) {
    while (*s != (char)c && *s != 0)
        s++;
    return (char *)s;
}

/* The last character of a string that is `c`, its zero included, or null. */
char *strrchr(const char *s, int c) {
    const char *found = 0;
    for (;; s++) {
        if (*s == (char)c)
            found = s;
        if (*s == 0)
            return (char *)found;
    }
}

char *rindex(const char *s, int c) {
    return strrchr(s, c);
}

static int is_one_of(char c, const char *set) {
    for (; *set != 0; set++)
        if (*set == c)
            return 1;
    return 0;
}

/* The length of the longest beginning that consists of characters of the set. */
size_t strspn(const char *s, const char *set) {
    size_t n = 0;
    while (s[n] != 0 && is_one_of(s[n], set))
        n++;
    return n;
}

/* The length of the longest beginning without characters of the set. */
size_t strcspn(const char *s, const char *set) {
    size_t n = 0;
    while (s[n] != 0 && !is_one_of(s[n], set))
        n++;
    return n;
}

/* The first character of the set in a string, or null. */
char *strpbrk(const char *s, const char *set) {
    for (; *s != 0; s++)
        if (is_one_of(*s, set))
            return (char *)s;
    return 0;
}

/* The first place where a string has another one, or null. */
char *strstr(const char *s, const char *part) {
    for (;; s++) {
        size_t i = 0;
        while (part[i] != 0 && s[i] == part[i])
            i++;
        if (part[i] == 0)
            return (char *)s;
        if (*s == 0)
            return 0;
    }
}

static int small_letter(char c) {
    int byte = (unsigned char)c;
    return byte >= 'A' && byte <= 'Z' ? byte + ('a' - 'A') : byte;
}

/* As strstr, as if all letters were small ones (GNU). */
char *strcasestr(const char *s, const char *part) {
    for (;; s++) {
        size_t i = 0;
        while (part[i] != 0 && small_letter(s[i]) == small_letter(part[i]))
            i++;
        if (part[i] == 0)
            return (char *)s;
        if (*s == 0)
            return 0;
    }
}

/* The first place where a block has another one, or null (GNU, POSIX.1-2024). */
void *memmem(const void *s, size_t size, const void *part, size_t part_size) {
    const unsigned char *p = s, *q = part;
    for (size_t at = 0; at <= size && part_size <= size - at; at++) {
        size_t i = 0;
        while (i < part_size && p[at + i] == q[i])
            i++;
        if (i == part_size)
            return (void *)(p + at);
    }
    return (void *)0;
}

/* The number of the lowest bit that is set, from 1; 0 if there is none. */
int ffsll(long long value) {
    unsigned long long bits = value;
    if (bits == 0)
        return 0;
    int n = 1;
    while ((bits & 1) == 0) {
        bits >>= 1;
        n++;
    }
    return n;
}

int ffsl(long value) {
    return ffsll((unsigned long)value);
}

int ffs(int value) {
    return ffsll((unsigned)value);
}
