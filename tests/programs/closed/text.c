//# holds: problems == 0
//# violated: problems == 3
// Text by the library: formats with width and flags, tokens, numbers read back, base64 there and back, a calculator, a vararg logger.
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
static int problems;
static void same(const char *a, const char *b) { if (strcmp(a, b)) problems++; }
static int print(char *to, size_t size, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsnprintf(to, size, format, list);
    va_end(list);
    return n;
}
static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static void encode(const char *in, size_t n, char *out)
{
    for (size_t i = 0; i < n; i += 3) {
        unsigned long v = 0;
        for (size_t k = 0; k < 3; k++) v = v << 8 | (i + k < n ? (unsigned char) in[i + k] : 0);
        for (int k = 0; k < 4; k++) *out++ = (size_t) k > n - i ? '=' : digits[v >> (18 - 6 * k) & 63];
    }
    *out = 0;
}
static size_t decode(const char *in, char *out)
{
    size_t n = 0;
    unsigned v = 0;
    int have = 0;
    for (; *in && *in != '='; in++) {
        v = v << 6 | (unsigned) (strchr(digits, *in) - digits);
        have += 6;
        if (have >= 8) out[n++] = (char) (v >> (have -= 8));
    }
    return n;
}
static long sum(const char **p);
static long factor(const char **p)
{
    while (isspace((unsigned char) **p)) ++*p;
    if (**p == '(') { ++*p; long v = sum(p); ++*p; return v; }
    if (**p == '-') { ++*p; return -factor(p); }
    char *end;
    long v = strtol(*p, &end, 0);
    *p = end;
    return v;
}
static long product(const char **p)
{
    long v = factor(p);
    for (;;) {
        while (**p == ' ') ++*p;
        if (**p == '*') { ++*p; v *= factor(p); }
        else if (**p == '/') { ++*p; v /= factor(p); }
        else return v;
    }
}
static long sum(const char **p)
{
    long v = product(p);
    for (;;) {
        while (**p == ' ') ++*p;
        if (**p == '+') { ++*p; v += product(p); }
        else if (**p == '-') { ++*p; v -= product(p); }
        else return v;
    }
}
int main(void)
{
    char line[128], word[32];
    if (print(line, sizeof line, "%5d|%-6s|%+04i|%#x|%08lx|%c|%%|%.3s|%*u", -42, "ab", 7, 255u, 0xdeadbeefUL, 'z', "abcdef", 6, 99u) != 46) problems++;
    same(line, "  -42|ab    |+007|0xff|deadbeef|z|%|abc|    99");
    if (snprintf(word, 5, "%s", "truncated") != 9) problems++;
    same(word, "trun");
    char list[] = "one, two,,three ; four";
    int count = 0;
    size_t letters = 0;
    for (char *t = strtok(list, ", ;"); t; t = strtok(NULL, ", ;")) count++, letters += strlen(t);
    if (count != 4 || letters != 15) problems++;
    int a = 0, b = 0;
    if (sscanf("12:-34 rest", "%d:%d %31s", &a, &b, word) != 3 || a != 12 || b != -34) problems++;
    same(word, "rest");
    if (atoi(" -17x") != -17 || strtoul("0x1fz", NULL, 16) != 31 || strtoll("-9223372036854775808", NULL, 10) != -9223372036854775807LL - 1) problems++;
    char coded[64], plain[64];
    for (size_t n = 0; n < 12; n++) {
        encode("many hands..", n, coded);
        if (decode(coded, plain) != n || memcmp(plain, "many hands..", n)) problems++;
    }
    encode("Man is", 6, coded);
    same(coded, "TWFuIGlz");
    const char *expression = "2 * (3 + 0x10) - -4 / (1 + 1) + 7 * 7";
    if (sum(&expression) != 89 || *expression) problems++;
    if (strspn("aabbc", "ab") != 4 || strcspn("hello", "l") != 2 || !strstr("haystack", "sta") || strrchr("a/b/c", '/')[1] != 'c') problems++;
    for (char *c = strcpy(word, "MiXed"); *c; c++) *c = (char) toupper((unsigned char) *c);
    same(word, "MIXED");
    if (!(CLAIM)) reach_error();
    return 0;
}
