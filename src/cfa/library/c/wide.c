/* wchar.h: strings and arrays of wide characters (ISO C11, 7.29.4). Wide characters compare as numbers. */

size_t wcslen(const wchar_t *s) {
    size_t n = 0;
    while (s[n] != 0)
        n++;
    return n;
}

size_t wcsnlen(const wchar_t *s, size_t most) {
    size_t n = 0;
    while (n < most && s[n] != 0)
        n++;
    return n;
}

wchar_t *wcscpy(wchar_t *to, const wchar_t *from) {
    size_t i = 0;
    while ((to[i] = from[i]) != 0)
        i++;
    return to;
}

/* At most `most` characters, the rest is filled with zeros. */
wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t most) {
    size_t i = 0;
    for (; i < most && from[i] != 0; i++)
        to[i] = from[i];
    for (; i < most; i++)
        to[i] = 0;
    return to;
}

wchar_t *wcscat(wchar_t *to, const wchar_t *from) {
    wcscpy(to + wcslen(to), from);
    return to;
}

int wcscmp(const wchar_t *a, const wchar_t *b) {
    for (; *a != 0 && *a == *b; a++)
        b++;
    return (*a > *b) - (*a < *b);
}

int wcsncmp(const wchar_t *a, const wchar_t *b, size_t most) {
    size_t i = 0;
    while (i < most && a[i] != 0 && a[i] == b[i])
        i++;
    return i == most ? 0 : (a[i] > b[i]) - (a[i] < b[i]);
}

wchar_t *wcschr(const wchar_t *s, wchar_t c) {
    for (; *s != c; s++)
        if (*s == 0)
            return 0;
    return (wchar_t *)s;
}

wchar_t *wcsrchr(const wchar_t *s, wchar_t c) {
    size_t i = wcslen(s) + 1;
    while (i > 0)
        if (s[--i] == c)
            return (wchar_t *)s + i;
    return 0;
}

wchar_t *wmemset(wchar_t *to, wchar_t c, size_t count) {
    size_t i;
    for (i = 0; i < count; i++)
        to[i] = c;
    return to;
}

wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t count) {
    memcpy(to, from, count * sizeof(wchar_t));
    return to;
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t count) {
    memmove(to, from, count * sizeof(wchar_t));
    return to;
}

int wmemcmp(const wchar_t *a, const wchar_t *b, size_t count) {
    size_t i = 0;
    while (i < count && a[i] == b[i])
        i++;
    return i == count ? 0 : (a[i] > b[i]) - (a[i] < b[i]);
}

wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t count) {
    size_t i;
    for (i = 0; i < count; i++)
        if (s[i] == c)
            return (wchar_t *)s + i;
    return 0;
}
