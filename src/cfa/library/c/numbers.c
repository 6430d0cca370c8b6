/* stdlib.h, inttypes.h: integer arithmetic and numbers in texts (ISO C11, 7.22.1, 7.22.6 and 7.8.2). */

/* The absolute value. That of the least number cannot be represented: it stays as it is, as with every C library. */
int abs(int n) {
    return n < 0 ? (int)-(unsigned)n : n;
}

long labs(long n) {
    return n < 0 ? (long)-(unsigned long)n : n;
}

long long llabs(long long n) {
    return n < 0 ? (long long)-(unsigned long long)n : n;
}

long long imaxabs(long long n) {
    return n < 0 ? (long long)-(unsigned long long)n : n;
}

/* The value of a digit in some base up to 36, or 36. */
static int digit_value(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 36;
}

/* What all of strtol and its relatives do: blanks, a sign, a prefix, digits. Reads a magnitude, at most `most` (`most_negative` behind a minus), with
   ERANGE if it is larger; EINVAL for a base that there is not. For unsigned results both limits are the same, and what is larger has no sign. */
static unsigned long long read_number(const char *s, char **end, int base, unsigned long long most, unsigned long long most_negative,
                                      int *negative) {
    const char *p = s;
    *negative = 0;
    if (base < 0 || base == 1 || base > 36) {
        *__errno_location() = EINVAL;
        return 0;
    }
    while (*p == ' ' || *p >= '\t' && *p <= '\r')
        p++;
    if (*p == '-' || *p == '+')
        *negative = *p++ == '-';
    if ((base == 0 || base == 16) && p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && digit_value(p[2]) < 16) {
        base = 16;
        p += 2;
    } else if (base == 0)
        base = *p == '0' ? 8 : 10;
    const unsigned long long limit = *negative ? most_negative : most;
    const unsigned long long whole = limit / base;
    const int last = (int)(limit % base);
    unsigned long long value = 0;
    int any = 0, beyond = 0;
    for (int digit; (digit = digit_value(*p)) < base; p++) {
        any = 1;
        if (beyond || value > whole || value == whole && digit > last)
            beyond = 1;
        else
            value = value * base + digit;
    }
    if (end != 0)
        *end = (char *)(any ? p : s);
    if (beyond) {
        *__errno_location() = ERANGE;
        value = limit;
        if (most == most_negative)
            *negative = 0;
    }
    return value;
}

/* Reads a number; the least or the largest one if it does not fit. */
long strtol(const char *s, char **end, int base) {
    const unsigned long most = ~0ul / 2;
    int negative;
    unsigned long value = read_number(s, end, base, most, most + 1, &negative);
    return negative ? (long)-value : (long)value;
}

long long strtoll(const char *s, char **end, int base) {
    const unsigned long long most = ~0ull / 2;
    int negative;
    unsigned long long value = read_number(s, end, base, most, most + 1, &negative);
    return negative ? (long long)-value : (long long)value;
}

/* Reads a number; the largest one if it does not fit. A minus negates the result as an unsigned number. */
unsigned long strtoul(const char *s, char **end, int base) {
    int negative;
    unsigned long value = read_number(s, end, base, ~0ul, ~0ul, &negative);
    return negative ? -value : value;
}

unsigned long long strtoull(const char *s, char **end, int base) {
    int negative;
    unsigned long long value = read_number(s, end, base, ~0ull, ~0ull, &negative);
    return negative ? -value : value;
}

long long strtoimax(const char *s, char **end, int base) {
    return strtoll(s, end, base);
}

unsigned long long strtoumax(const char *s, char **end, int base) {
    return strtoull(s, end, base);
}

/* BSD names of strtoll and strtoull. */
long long strtoq(const char *s, char **end, int base) {
    return strtoll(s, end, base);
}

unsigned long long strtouq(const char *s, char **end, int base) {
    return strtoull(s, end, base);
}

/* As glibc's headers call strtol and its relatives from inline functions. */
long __strtol_internal(const char *s, char **end, int base, int group) {
    return strtol(s, end, base);
}

unsigned long __strtoul_internal(const char *s, char **end, int base, int group) {
    return strtoul(s, end, base);
}

long long __strtoll_internal(const char *s, char **end, int base, int group) {
    return strtoll(s, end, base);
}

unsigned long long __strtoull_internal(const char *s, char **end, int base, int group) {
    return strtoull(s, end, base);
}

/* A number that does not fit the type is undefined; it is cut, as with glibc. */
int atoi(const char *s) {
    return (int)strtol(s, 0, 10);
}

long atol(const char *s) {
    return strtol(s, 0, 10);
}

long long atoll(const char *s) {
    return strtoll(s, 0, 10);
}
