/* string.h: cutting strings into tokens (ISO C11, 7.24.5.8; POSIX.1; BSD). */

static int separates(char c, const char *separators) {
    for (; *separators != 0; separators++)
        if (*separators == c)
            return 1;
    return 0;
}

/* The next token of the string `s`, or if that is null, of what `*rest` has left; the separator behind it becomes a zero. Null if there is none. */
char *strtok_r(char *s, const char *separators, char **rest) {
    if (s == 0)
        s = *rest;
    if (s == 0)
        return 0;
    while (*s != 0 && separates(*s, separators))
        s++;
    if (*s == 0) {
        *rest = s;
        return 0;
    }
    char *token = s;
    while (*s != 0 && !separates(*s, separators))
        s++;
    if (*s != 0)
        *s++ = 0;
    *rest = s;
    return token;
}

static char *strtok_rest;

/* As strtok_r, with the one rest that all callers share. */
char *strtok(char *s, const char *separators) {
    return strtok_r(s, separators, &strtok_rest);
}

/* The token at `*rest`, which may be empty; null if that is null. Moves `*rest` behind it, or to null at the end. */
char *strsep(char **rest, const char *separators) {
    char *token = *rest;
    if (token == 0)
        return 0;
    char *s = token;
    while (*s != 0 && !separates(*s, separators))
        s++;
    if (*s == 0)
        *rest = 0;
    else {
        *s = 0;
        *rest = s + 1;
    }
    return token;
}
