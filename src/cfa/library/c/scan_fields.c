/* Fields of formatted input in a string: what `sscanf` reads.

   Each function takes the place to read from and returns the place behind the field, or the null pointer where nothing there
   fits. A width below 0 is none. Numbers are read as glibc reads them: they saturate at the limits of `long` (`long long`, where
   `wide` says so), and are cut to the type of the object then. */

int __provident_is_space(int c) {
    return c == ' ' || (unsigned)c - '\t' < 5;
}

const char *__provident_scan_space(const char *from) {
    while (__provident_is_space(*from))
        from++;
    return from;
}

/* The value of a digit; 99 for what is none. */
unsigned __provident_digit(int c) {
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'F')
        return (unsigned)(c - 'A') + 10;
    return 99;
}

/* The largest magnitude of a number. */
static unsigned long long __provident_scan_limit(int negative, int is_signed, int wide) {
    unsigned long long all = wide ? ~0ULL : (unsigned long long)~0UL;
    if (!is_signed)
        return all;
    return negative ? all / 2 + 1 : all / 2;
}

/* An integer; base 0 is that of its prefix. */
const char *__provident_scan_number(const char *from, int width, unsigned base, int is_signed, int wide, unsigned long long *value) {
    unsigned long long magnitude = 0, limit;
    int negative = *from == '-', digits = 0, over = 0;
    unsigned digit;
    if (width != 0 && (*from == '-' || *from == '+')) {
        from++;
        width--;
    }
    if (width != 0 && *from == '0' && (base == 0 || base == 16)) {
        from++;
        width--;
        digits = 1;
        if (width != 0 && (*from == 'x' || *from == 'X')) {
            from++;
            width--;
            base = 16;
        } else if (base == 0)
            base = 8;
    } else if (base == 0)
        base = 10;
    limit = __provident_scan_limit(negative, is_signed, wide);
    for (; width != 0 && (digit = __provident_digit(*from)) < base; from++, width--) {
        if (magnitude > (limit - digit) / base || digit > limit)
            over = 1;
        else
            magnitude = magnitude * base + digit;
        digits = 1;
    }
    if (!digits)
        return 0;
    if (over)
        *value = is_signed && negative ? 0 - limit : limit;
    else
        *value = negative ? 0 - magnitude : magnitude;
    return from;
}

/* Characters up to white space, with a zero behind them; kept only if `to` is not null. */
const char *__provident_scan_word(const char *from, int width, char *to) {
    if (!*from)
        return 0;
    for (; width != 0 && *from && !__provident_is_space(*from); from++, width--)
        if (to)
            *to++ = *from;
    if (to)
        *to = 0;
    return from;
}

/* Exactly `width` characters, or those that are left. */
const char *__provident_scan_chars(const char *from, int width, char *to) {
    if (!*from)
        return 0;
    for (; width > 0 && *from; from++, width--)
        if (to)
            *to++ = *from;
    return from;
}

/* The end of the set behind `[`: its `]`. */
const char *__provident_set_end(const char *set) {
    if (*set == '^')
        set++;
    if (*set == ']')
        set++;
    while (*set && *set != ']')
        set++;
    return set;
}

/* Whether a set, given by the places behind its `[` and of its `]`, has a byte. Without branches on the byte: it may be an input. */
int __provident_in_set(const char *set, const char *end, unsigned char c) {
    unsigned found = 0, inverted = *set == '^';
    for (set += inverted; set != end; set++) {
        if (set + 2 < end && set[1] == '-' && (unsigned char)set[0] <= (unsigned char)set[2]) {
            found += (unsigned)c - (unsigned char)set[0] <= (unsigned)((unsigned char)set[2] - (unsigned char)set[0]);
            set += 2;
        } else
            found += c == (unsigned char)*set;
    }
    return (found != 0) != inverted;
}

/* Characters of a set. */
const char *__provident_scan_set(const char *from, int width, const char *set, const char *end, char *to) {
    const char *start = from;
    for (; width != 0 && *from && __provident_in_set(set, end, (unsigned char)*from); from++, width--)
        if (to)
            *to++ = *from;
    if (from == start)
        return 0;
    if (to)
        *to = 0;
    return from;
}

/* A floating-point number, as glibc reads it: what may become one. Whether it is one, its value says. */
const char *__provident_scan_float(const char *from, int width) {
    static const char infinity[] = "infinity";
    const char *start;
    int i, exponent = 'e', digits = 0, point = 0;
    if (width != 0 && (*from == '-' || *from == '+')) {
        from++;
        width--;
    }
    if (width != 0 && (*from | 32) == 'n') {
        for (i = 0; i < 3; i++)
            if (width-- == 0 || (from[i] | 32) != (i == 1 ? 'a' : 'n'))
                return 0;
        return from + 3;
    }
    if (width != 0 && (*from | 32) == 'i') {
        for (i = 0; i < 8; i++)
            if (width == 0 || (from[i] | 32) != infinity[i]) {
                if (i == 3)
                    return from + 3;
                return 0;
            } else
                width--;
        return from + 8;
    }
    start = from;
    if (width != 0 && *from == '0') {
        from++;
        width--;
        digits = 1;
        if (width != 0 && width != 1 && (*from | 32) == 'x') {
            from++;
            width--;
            exponent = 'p';
            digits = 0;
        }
    }
    for (; width != 0; from++, width--) {
        if (*from >= '0' && *from <= '9' || exponent == 'p' && __provident_digit(*from) < 16)
            digits = 1;
        else if (*from == '.' && !point)
            point = 1;
        else
            break;
    }
    if (width != 0 && digits && (*from | 32) == exponent) {
        from++;
        width--;
        if (width != 0 && (*from == '-' || *from == '+')) {
            from++;
            width--;
        }
        for (; width != 0 && *from >= '0' && *from <= '9'; width--)
            from++;
    }
    return from == start || (exponent == 'p' && from == start + 2) ? 0 : from;
}
