/* string.h: strings as arrays of bytes that end with a zero (ISO C11, 7.24). Bytes compare as unsigned char. */

/* The number of bytes before the first zero. */
size_t strlen(const char *s) {
    size_t n = 0;
    while (s[n] != 0)
        n++;
    return n;
}
