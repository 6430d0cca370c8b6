/* string.h: copying and joining (ISO C11, 7.24.2 and 7.24.3; POSIX.1; BSD). Sources and destinations do not overlap unless said otherwise. */

/* As memcpy, but returns the byte behind the last one written (GNU). */
void *mempcpy(void *to, const void *from, size_t size) {
    memcpy(to, from, size);
    return (char *)to + size;
}

/* Copies at most `size` bytes, and no more behind the first byte `stop`; returns the byte behind the copy of `stop`, or null. */
void *memccpy(void *to, const void *from, int stop, size_t size) {
    unsigned char *out = to;
    const unsigned char *in = from;
    for (size_t i = 0; i < size; i++) {
        out[i] = in[i];
        if (in[i] == (unsigned char)stop)
            return out + i + 1;
    }
    return (void *)0;
}

/* As memmove, with the arguments the other way round. */
void bcopy(const void *from, void *to, size_t size) {
    memmove(to, from, size);
}

/* As memset with 0, and never left out. */
void explicit_bzero(void *to, size_t size) {
    memset(to, 0, size);
}

/* As memset with 0, and never left out (C23: memset_explicit has the byte). */
void *memset_explicit(void *to, int byte, size_t size) {
    return memset(to, byte, size);
}

/* Copies a string with its zero and returns the place of that zero. */
char *stpcpy(char *to, const char *from) {
    while ((*to = *from) != 0) {
        to++;
        from++;
    }
    return to;
}

/* Copies a string with its zero. */
char *strcpy(char *to, const char *from) {
    size_t i = 0;
    while ((to[i] = from[i]) != 0)
        i++;
    return to;
}

/* Writes exactly `size` bytes: the string's, then zeros. Returns the first zero that was written, or the end. */
char *stpncpy(char *to, const char *from, size_t size) {
    size_t i = 0;
    while (i < size && from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    for (size_t k = i; k < size; k++)
        to[k] = 0;
    return to + i;
}

/* Writes exactly `size` bytes: the string's, then zeros. There is no zero at the end of a string that is as long. */
char *strncpy(char *to, const char *from, size_t size) {
    size_t i = 0;
    while (i < size && from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    while (i < size)
        to[i++] = 0;
    return to;
}

/* The length of a string; `size` if that is less. */
size_t __provident_text_end(const char *to, size_t size) {
    size_t end = 0;
    while (end < size && to[end] != 0)
        end++;
    return end;
}

/* Appends a string. */
char *strcat(char *to, const char *from) {
    size_t end = 0;
    while (to[end] != 0)
        end++;
    size_t i = 0;
    while ((to[end + i] = from[i]) != 0)
        i++;
    return to;
}

/* Appends at most `size` bytes of a string, and a zero. */
char *strncat(char *to, const char *from, size_t size) {
    size_t end = 0;
    while (to[end] != 0)
        end++;
    size_t i = 0;
    while (i < size && from[i] != 0) {
        to[end + i] = from[i];
        i++;
    }
    to[end + i] = 0;
    return to;
}

/* Copies at most `size` - 1 bytes and a zero; returns the length of `from`. */
size_t strlcpy(char *to, const char *from, size_t size) {
    size_t i = 0;
    while (from[i] != 0) {
        if (i + 1 < size)
            to[i] = from[i];
        i++;
    }
    if (size > 0)
        to[i < size ? i : size - 1] = 0;
    return i;
}

/* Appends so that the result has at most `size` - 1 bytes and a zero; returns the length that it tried to make. */
size_t strlcat(char *to, const char *from, size_t size) {
    size_t end = __provident_text_end(to, size);
    size_t i = 0;
    while (from[i] != 0) {
        if (end + i + 1 < size)
            to[end + i] = from[i];
        i++;
    }
    if (end < size)
        to[end + i < size ? end + i : size - 1] = 0;
    return end + i;
}

/* A copy of a string in a new object; null if there is no memory. */
char *strdup(const char *s) {
    size_t size = strlen(s) + 1;
    char *copy = malloc(size);
    if (copy == 0)
        return 0;
    for (size_t i = 0; i < size; i++)
        copy[i] = s[i];
    return copy;
}

/* A copy of at most `size` bytes of a string, and a zero, in a new object; null if there is no memory. */
char *strndup(const char *s, size_t size) {
    size_t length = 0;
    while (length < size && s[length] != 0)
        length++;
    char *copy = malloc(length + 1);
    if (copy == 0)
        return 0;
    for (size_t i = 0; i < length; i++)
        copy[i] = s[i];
    copy[length] = 0;
    return copy;
}

/* Transforms for strcmp by the locale's order, which is that of the bytes; returns the length of the result. */
size_t strxfrm(char *to, const char *from, size_t size) {
    size_t i = 0;
    while (from[i] != 0) {
        if (i < size)
            to[i] = from[i];
        i++;
    }
    if (i < size)
        to[i] = 0;
    return i;
}

/* Swaps the bytes of each pair (POSIX). Of an odd number, the last byte is left. */
void swab(const void *restrict from, void *restrict to, ssize_t size) {
    const char *in = from;
    char *out = to;
    for (ssize_t i = 0; i + 1 < size; i += 2) {
        char first = in[i];
        out[i] = in[i + 1];
        out[i + 1] = first;
    }
}
