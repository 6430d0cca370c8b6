/* Random floating-point numbers and texts in all modes of rounding: our sources, under names with `our_` in front, against glibc's functions.
   The test puts the sources with the new names before this text. Prints what differs, nothing otherwise. */

extern int snprintf(char *, size_t, const char *, ...), sprintf(char *, const char *, ...), sscanf(const char *, const char *, ...);
extern int printf(const char *, ...);
extern char *strchr(const char *, int), *strcpy(char *, const char *);
extern double strtod(const char *, char **);
extern float strtof(const char *, char **);
extern long double strtold(const char *, char **);
extern int fesetround(int);
extern _Noreturn void exit(int);

/* What the sources do not know decides nothing, and does not occur here. */
static int wrong(void) { printf("an invented value\n"); exit(1); }
void __VERIFIER_assume(int holds) { if (!holds) exit(1); }
int __provident_any_printf(void) { return wrong(); }
int __provident_any_scanf(void) { return wrong(); }
char __provident_any_text(void) { return wrong(); }
size_t __provident_any_address(void) { return wrong(); }

static int mode;
int __provident_rounding_mode(void) { return mode; }

static unsigned long long seed = 88172645463325252;

static unsigned long long bits(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^= seed << 17;
}

static unsigned below(unsigned limit) { return (unsigned)(bits() >> 20) % limit; }

static void choose_mode(void) {
    static const int modes[] = { 0, 0, 0, 0x400, 0x800, 0xc00 };
    fesetround(mode = modes[below(6)]);
}

static double a_double(void) {
    union { double value; unsigned long long bits; } v = { .bits = bits() };
    switch (below(7)) {
    case 0: return (double)(int)below(100000) / (1 << below(12));
    case 1: return (int)below(1000000) / 1000.0;
    case 2: v.bits &= -1ull << below(53); break;
    case 3: v.bits = (v.bits & 0x800fffffffffffff) | (unsigned long long)(1003 + below(40)) << 52; break;
    case 4: v.bits &= 0x800fffffffffffff; break;
    case 5: if (below(9) == 0) v.bits |= 0x7ffull << 52; break;
    }
    return v.value;
}

static long double a_long_double(void) {
    union { struct { unsigned long long mantissa; unsigned short exponent; } bits; long double value; } v = { { bits() | 1ull << 63, bits() } };
    if (below(3) == 0) v.bits.mantissa &= -1ull << below(64);
    if (below(2)) v.bits.exponent = (v.bits.exponent & 0x8000) | (16353 + below(60));
    if (!(v.bits.exponent & 0x7fff)) v.bits.mantissa &= ~0ull >> 1;
    if ((v.bits.exponent & 0x7fff) == 0x7fff) v.bits.mantissa = below(2) ? 1ull << 63 : 3ull << 62;
    return v.value;
}

static int printed(void) {
    static char a[20000], b[20000];
    char format[40] = "%";
    int n = 1, flags = below(32), width = below(3) ? 0 : (int)below(40), precision = below(3) == 0 ? -1 : (int)below(25), is_long = below(3) == 0, ra, rb, rc;
    for (int i = 0; i < 5; i++) if (flags >> i & 1) format[n++] = "-+ #0"[i];
    if (below(50) == 0) precision = below(400);
    if (width) n += sprintf(format + n, "%d", width);
    if (precision >= 0) n += sprintf(format + n, ".%d", precision);
    if (is_long) format[n++] = 'L';
    format[n++] = "efgaEFGA"[below(8)];
    format[n] = 0;
    if (is_long) {
        long double v = a_long_double();
        ra = snprintf(a, sizeof a, format, v), rb = our_snprintf(b, sizeof b, format, v), rc = our_printf(format, v);
    } else {
        double v = a_double();
        ra = snprintf(a, sizeof a, format, v), rb = our_snprintf(b, sizeof b, format, v), rc = our_printf(format, v);
    }
    if (ra == rb && ra == rc && !memcmp(a, b, ra + 1)) return 0;
    printf("mode %x, %s: \"%.60s\", ours \"%.60s\"\n", mode, format, a, b);
    return 1;
}

static char text[30000];

static char *digits(char *to, unsigned count, const char *set, unsigned of) {
    while (count--) *to++ = below(3) ? set[below(of)] : set[below(2) * (of - 1)];
    return to;
}

static char *number(char *to, int hexadecimal) {
    static const unsigned sizes[] = { 3, 10, 25, 45 };
    const char *set = hexadecimal ? "0123456789abcDEF" : "0123456789";
    unsigned of = hexadecimal ? 16 : 10, size = sizes[below(4)];
    if (hexadecimal) to += sprintf(to, "0%c", "xX"[below(2)]);
    to = digits(to, below(size), set, of);
    if (below(2)) *to++ = '.', to = digits(to, below(size), set, of);
    if (below(2)) to += sprintf(to, "%c%s%u", (hexadecimal ? "pP" : "eE")[below(2)], below(2) ? "-" : below(2) ? "+" : "", below(below(3) ? 60 : below(2) ? 1100 : 17000));
    return to;
}

/* A number in the middle between two others, or a little more. */
static char *tie(char *to) {
    long double middle;
    if (below(2)) {
        union { float value; unsigned bits; } a = { .bits = (unsigned)bits() & 0xbfffffff }, b = { .bits = a.bits + 1 };
        middle = ((long double)a.value + b.value) / 2;
    } else {
        union { double value; unsigned long long bits; } a = { .bits = bits() & 0xbfffffffffffffff }, b = { .bits = a.bits + 1 };
        if (below(2)) a.bits |= 0x3ffull << 52, b.bits = a.bits + 1;
        middle = ((long double)a.value + b.value) / 2;
    }
    sprintf(to, "%.*Le", below(3) ? 1100 : (int)below(60), middle);
    char *e = strchr(to, 'e');
    if (e && e > to + 3 && below(2)) e[-1] = '1';
    return to + strlen(to);
}

static void make_text(void) {
    static const char *const words[] = { "inf", "INF", "infinity", "Infinit", "nan", "NAN(", "nan(123)", "nan(0x1f)", "nan(abc)", "nan(12", "in", "n", "-", "e5", ".", "0x", "0x.",
        "0x.p1", "1e", "1e+", "0e5", "nan()", "1.5.2", "12abc", "0x1p", "nan(_1)", "+-1", "-inf1", "", "1e-", "5e+x" };
    char *to = text;
    if (below(8) == 0) *to++ = " \t\n"[below(3)];
    if (below(4) == 0) *to++ = "+-"[below(2)];
    switch (below(5)) {
    case 0: to += sprintf(to, "%s", words[below(sizeof words / sizeof *words)]); break;
    case 1: to = number(to, 1); break;
    case 2: to = tie(to); break;
    case 3: to += sprintf(to, "%.*Le", below(20) ? (int)below(40) : (int)below(12000), a_long_double()); break;
    default: to = number(to, 0);
    }
    *to = 0;
}

#define READ(type, name, size) do { \
        char *ea, *eb; \
        *__errno_location() = 0; \
        type a = name(text, &ea); \
        int na = *__errno_location(); \
        *__errno_location() = 0; \
        type b = our_##name(text, &eb); \
        int nb = *__errno_location(); \
        if (ea != eb || na != nb || memcmp(&a, &b, size)) \
            return printf("mode %x, " #name " \"%.200s\": %La, %td, error %d; ours %La, %td, error %d\n", mode, text, (long double)a, ea - text, na, (long double)b, eb - text, nb); \
    } while (0)

static int read_text(void) {
    make_text();
    READ(double, strtod, 8);
    READ(float, strtof, 4);
    READ(long double, strtold, 10);
    return 0;
}

static int scanned(void) {
    static const char *const formats[] = { "%f%n", "%lf%n", "%Lf%n", "%3f%n", "%5le%n", "%*g%n", "%2a%d%n", "%1lf%n%s", "x%f", "%Lg %lf%n", "%8lf%c" };
    const char *format = formats[below(11)];
    char a[4][64], b[4][64];
    make_text();
    if (strlen(text) > 50) return 0;
    memset(a, '~', sizeof a);
    memset(b, '~', sizeof b);
    int ra = sscanf(text, format, a[0], a[1], a[2], a[3]);
    int rb = our_sscanf(text, format, b[0], b[1], b[2], b[3]);
    if (ra == rb && !memcmp(a, b, sizeof a)) return 0;
    return printf("sscanf \"%s\" by \"%s\": %d, ours %d\n", text, format, ra, rb);
}

int main(void) {
    int problems = 0;
    for (int i = 0; i < 40000 && problems < 10; i++) {
        choose_mode();
        problems += printed() != 0;
        problems += read_text() != 0;
        choose_mode();
        problems += scanned() != 0;
    }
    return problems != 0;
}
