/* string.h, strings.h: comparisons (ISO C11, 7.24.4). Bytes compare as unsigned char. The standard gives the sign of a result only; here, as with glibc, a
   result is the difference of the first bytes that differ. The locale is C, so that its order is that of the bytes. */

int memcmp(const void *a, const void *b, size_t size) {
    const unsigned char *x = a, *y = b;
    for (size_t i = 0; i < size; i++)
        if (x[i] != y[i])
            return x[i] - y[i];
    return 0;
}

/* Whether two blocks differ. */
int bcmp(const void *a, const void *b, size_t size) {
    return memcmp(a, b, size);
}

/* As memcmp, in a time that does not depend on the contents. */
int timingsafe_bcmp(const void *a, const void *b, size_t size) {
    return memcmp(a, b, size) != 0;
}

int strcmp(const char *a, const char *b) {
    size_t i = 0;
    while (a[i] == b[i] && a[i] != 0)
        i++;
    return (unsigned char)a[i] - (unsigned char)b[i];
}

/* Compares at most `size` bytes. */
int strncmp(const char *a, const char *b, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (a[i] != b[i])
            return (unsigned char)a[i] - (unsigned char)b[i];
        if (a[i] == 0)
            return 0;
    }
    return 0;
}

int strcoll(const char *a, const char *b) {
    return strcmp(a, b);
}

static int case_folded(char c) {
    int byte = (unsigned char)c;
    return byte >= 'A' && byte <= 'Z' ? byte + ('a' - 'A') : byte;
}

/* Compares as if all letters were small ones. */
int strcasecmp(const char *a, const char *b) {
    size_t i = 0;
    while (case_folded(a[i]) == case_folded(b[i]) && a[i] != 0)
        i++;
    return case_folded(a[i]) - case_folded(b[i]);
}

/* Compares at most `size` bytes as if all letters were small ones. */
int strncasecmp(const char *a, const char *b, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (case_folded(a[i]) != case_folded(b[i]))
            return case_folded(a[i]) - case_folded(b[i]);
        if (a[i] == 0)
            return 0;
    }
    return 0;
}
