/* unistd.h, locale.h: what the system says of the process, as inputs within their documented ranges. */

int __provident_input_getpid(void);
int __provident_input_getppid(void);
unsigned __provident_input_getuid(void);
unsigned __provident_input_geteuid(void);
unsigned __provident_input_getgid(void);
unsigned __provident_input_getegid(void);
int __provident_input_isatty(void);
long __provident_input_sysconf(void);
int __provident_any_setlocale(void);
void __provident_trust_the_locale_stays_C(void);

/* The number of the process, which never changes. */
int getpid(void) {
    static int number;
    if (number == 0) {
        number = __provident_input_getpid();
        __VERIFIER_assume(number > 0);
    }
    return number;
}

int getppid(void) {
    int number = __provident_input_getppid();
    __VERIFIER_assume(number >= 0);
    return number;
}

unsigned getuid(void) {
    return __provident_input_getuid();
}

unsigned geteuid(void) {
    return __provident_input_geteuid();
}

unsigned getgid(void) {
    return __provident_input_getgid();
}

unsigned getegid(void) {
    return __provident_input_getegid();
}

/* The size of a page. */
int getpagesize(void) {
    return 4096;
}

/* Whether a descriptor is a terminal. */
int isatty(int descriptor) {
    int yes = __provident_input_isatty();
    __VERIFIER_assume(yes == 0 || yes == 1);
    if (!yes)
        __provident_error();
    return yes;
}

/* A limit of the system, or -1. The names are those of Linux: 2 is _SC_CLK_TCK, 30 _SC_PAGESIZE, 83 _SC_NPROCESSORS_CONF, 84 _SC_NPROCESSORS_ONLN. */
long sysconf(int name) {
    if (name == 2)
        return 100;
    if (name == 30)
        return getpagesize();
    long value = __provident_input_sysconf();
    __VERIFIER_assume(value >= (name == 83 || name == 84 ? 1 : -1));
    return value;
}

/* The name of the locale, after it was set to the one of that name; null if there is none. There is the C locale; others may be there, which nothing else
   here knows of. */
char *setlocale(int category, const char *locale) {
    static char name[] = "C";
    if (locale == 0 || (locale[0] == 'C' && locale[1] == 0))
        return name;
    __provident_trust_the_locale_stays_C();
    return __provident_any_setlocale() ? name : (char *)0;
}
