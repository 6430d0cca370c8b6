/* Random times: our sources, under names with `our_` in front, against glibc's functions. The test puts the sources with the new names before this text.
   Prints what differs, nothing otherwise. */

extern int printf(const char *, ...), strcmp(const char *, const char *);
extern _Noreturn void exit(int);

static int wrong(void) { printf("an invented value\n"); exit(1); }
void __VERIFIER_assume(int holds) { if (!holds) exit(1); }
int __provident_any_calendar(void) { return wrong(); }
char __provident_any_zone(void) { return 0; }
size_t __provident_any_strftime(void) { return wrong(); }
char __provident_any_time_text(void) { return wrong(); }
void __provident_trust_the_time_zone_is_UTC(void) {}

static unsigned long seed = 88172645463325252;

static unsigned long bits(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^= seed << 17;
}

/* What ISO C has of a time. */
static int differ(const struct tm *a, const struct tm *b) { return memcmp(a, b, 9 * sizeof(int)) != 0; }

static int broken_down(long time, struct tm *to) {
    struct tm ours = { 0 };
    *__errno_location() = 0;
    struct tm *a = gmtime_r(&time, to);
    int error = *__errno_location();
    *__errno_location() = 0;
    struct tm *b = our_gmtime_r(&time, &ours);
    if (!a == !b && error == *__errno_location() && (!a || !differ(a, b))) return 0;
    return printf("gmtime %ld\n", time);
}

static int put_together(const struct tm *from) {
    struct tm a = *from;
    a.tm_mon += (int)(bits() % 40) - 20;
    a.tm_mday += (int)(bits() % 400) - 200;
    a.tm_hour += (int)(bits() % 2000) - 1000;
    a.tm_sec += (int)bits() % 100000;
    if (bits() % 50 == 0) a.tm_mon = (int)bits();
    struct tm b = a, c = a;
    long ta = timegm(&a), tb = our_timegm(&b), tc = our_mktime(&c);
    if (ta == tb && ta == tc && (ta == -1 || !differ(&a, &b) && !differ(&a, &c))) return 0;
    return printf("timegm %ld, ours %ld\n", ta, tb);
}

static int written(const struct tm *of) {
    static const char fields[] = "aAbBhcCdDeFgGHIjmMnprRStTuUVwWxXyY%";
    char format[40], a[200], b[200];
    int n = 0;
    for (int i = 0; i < 4; i++) {
        format[n++] = '%';
        format[n++] = fields[bits() % 35];
        if (bits() % 2) format[n++] = '-';
    }
    format[n] = 0;
    size_t room = bits() % 4 ? 200 : bits() % 30, ra = strftime(a, room, format, of), rb = our_strftime(b, room, format, of);
    if (ra != rb || ra && memcmp(a, b, ra + 1)) return printf("strftime %s\n", format);
    if (of->tm_year < 8000 && of->tm_year > -900 && strcmp(asctime(of), our_asctime(of))) return printf("asctime %s", asctime(of));
    return 0;
}

int main(void) {
    int problems = 0;
    for (int i = 0; i < 100000 && problems < 10; i++) {
        long time = bits() % 3 ? (long)(bits() % 8000000000) - 2000000000 : bits() % 2 ? (long)(bits() % 60000000000000000) - 30000000000000000 : (long)bits();
        struct tm tm = { 0 };
        if (broken_down(time, &tm)) problems++;
        else if (tm.tm_mday != 0) problems += (put_together(&tm) != 0) + (written(&tm) != 0);
    }
    return problems != 0;
}
