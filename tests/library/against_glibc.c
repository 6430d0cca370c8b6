/* Random formats, values and texts: our sources, under names with `our_` in front, against glibc's functions.
   The test puts the sources with the new names before this text. Prints what differs, nothing otherwise. */

extern int snprintf(char *, size_t, const char *, ...);
extern int sscanf(const char *, const char *, ...);
extern int printf(const char *, ...);
extern int strcmp(const char *, const char *);
extern char *strerror(int);
extern char *strcat(char *, const char *);
extern _Noreturn void exit(int);

/* What the sources do not know decides nothing, and does not occur here. */
static int wrong(void) { printf("an invented value\n"); exit(1); }
void __VERIFIER_assume(int holds) { if (!holds) exit(1); }
int __provident_any_printf(void) { return wrong(); }
int __provident_any_scanf(void) { return wrong(); }
char __provident_any_text(void) { return wrong(); }
int __provident_rounding_mode(void) { return 0; }
size_t __provident_any_address(void) { return 0xbad; }

static unsigned long long seed = 12345;

static unsigned below(unsigned limit) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(seed >> 33) % limit;
}

#define PICK(list) list[below(sizeof(list) / sizeof *(list))]

static unsigned long long value(void) {
    unsigned long long v = seed ^ seed >> 29;
    switch (below(4)) {
    case 0: return below(3);
    case 1: return below(2000) - 1000ULL;
    case 2: return v >> below(64);
    }
    return 0 - (v >> below(64));
}

/* A format with a field between other text; returns the conversion. `stars`: whether width and precision are arguments. */
static char field(char *f, int *stars) {
    static const char *const flags[] = { "-", "+", " ", "#", "0", "'" }, *const widths[] = { "", "", "3", "12", "*" };
    static const char *const precisions[] = { "", "", ".", ".0", ".5", ".17", ".*" };
    static const char *const sizes[] = { "", "", "hh", "h", "l", "ll", "j", "z", "t" };
    static const char conversions[] = "diuxXobBcspn";
    const char *width, *precision;
    char c[2] = { 0, 0 };
    f[0] = 0;
    strcat(f, "a%");
    for (unsigned n = below(4); n; n--) strcat(f, PICK(flags));
    strcat(f, width = PICK(widths));
    strcat(f, precision = PICK(precisions));
    c[0] = conversions[below(sizeof conversions - 1)];
    if (c[0] != 'c' && c[0] != 's' && c[0] != 'p') strcat(f, PICK(sizes));
    strcat(f, c);
    strcat(f, "|%d%%");
    *stars = (*width == '*') + 2 * (precision[0] == '.' && precision[1] == '*');
    return c[0];
}

#define CALL(f, to, arg) (stars == 0 ? f(to, room, format, arg, 77) : stars == 1 ? f(to, room, format, w, arg, 77) \
    : stars == 2 ? f(to, room, format, p, arg, 77) : f(to, room, format, w, p, arg, 77))
#define LENGTH(arg) (stars == 0 ? our_printf(format, arg, 77) : stars == 1 ? our_printf(format, w, arg, 77) \
    : stars == 2 ? our_printf(format, p, arg, 77) : our_printf(format, w, p, arg, 77))

static int printed(void) {
    static const char *const texts[] = { "", "x", "hello", "a longer text than others", 0 };
    char format[64], a[128], b[128];
    int stars, w = (int)below(40) - 20, p = (int)below(25) - 5, ra, rb, rc;
    long long na = -1, nb = -1, nc = -1;
    size_t room = below(3) ? sizeof a : below(20);
    unsigned long long v = value();
    const char *s = PICK(texts);
    char c = field(format, &stars);
    memset(a, '~', sizeof a);
    memset(b, '~', sizeof b);
    if (c == 's') ra = CALL(snprintf, a, s), rb = CALL(our_snprintf, b, s), rc = LENGTH(s);
    else if (c == 'n') ra = CALL(snprintf, a, &na), rb = CALL(our_snprintf, b, &nb), rc = LENGTH(&nc);
    else if (c == 'p') ra = CALL(snprintf, a, (void *)0), rb = CALL(our_snprintf, b, (void *)0), rc = LENGTH((void *)0);
    else ra = CALL(snprintf, a, v), rb = CALL(our_snprintf, b, v), rc = LENGTH(v);
    if (ra == rb && ra == rc && na == nb && na == nc && !memcmp(a, b, sizeof a)) return 0;
    printf("printf \"%s\" of %llx: %d, ours %d and %d\n", format, v, ra, rb, rc);
    return 1;
}

static int scanned(void) {
    static const char *const pieces[] = { "12", "-7", "0x1f", "017", "abc", " ", "\t", "%", "+5", "99999999999999999999", "-99999999999999999999", "0x",
        "x", "]", "-", "a-b", "08", "0", ",", "18446744073709551615", "9223372036854775808" };
    static const char *const fields[] = { "%d", "%i", "%u", "%x", "%o", "%c", "%s", "%[a-z]", "%[^,]", "%[]x]", "%[^]a]", "%[0-9+-]", "%n", "%%", " ", ",",
        "%p", "%2d", "%3i", "%1x", "%2s", "%3c", "%2[a-z0-9]", "%*d", "%*s", "%*c", "%hhd", "%hd", "%ld", "%lld", "%jd", "%zu", "%*3i", "%hhn", "%4o", "a" };
    char text[160] = "", format[64] = "", a[6][64], b[6][64];
    for (unsigned n = below(6); n; n--) strcat(text, PICK(pieces));
    for (unsigned n = 1 + below(5); n; n--) strcat(format, PICK(fields));
    memset(a, '~', sizeof a);
    memset(b, '~', sizeof b);
    int ra = sscanf(text, format, a[0], a[1], a[2], a[3], a[4], a[5]);
    int rb = our_sscanf(text, format, b[0], b[1], b[2], b[3], b[4], b[5]);
    if (ra == rb && !memcmp(a, b, sizeof a)) return 0;
    printf("sscanf \"%s\" by \"%s\": %d, ours %d\n", text, format, ra, rb);
    return 1;
}

int main(void) {
    int problems = 0;
    for (int i = -3; i < 200; i++)
        if (strcmp(strerror(i), our_strerror(i))) {
            printf("strerror %d: %s, ours %s\n", i, strerror(i), our_strerror(i));
            problems++;
        }
    for (int i = 0; i < 300000 && problems < 10; i++) problems += printed() + scanned();
    return problems != 0;
}
