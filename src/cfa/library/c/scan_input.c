/* stdio.h: formatted input from streams (ISO C11, 7.21.6.2).

   A number on a stream is any number with any white space before it: one input stands for all its digits. What a conversion leaves behind limits what comes
   next: behind a number there is no digit, behind a directive for white space there is none, and what did not fit is still there. Other conversions read byte by
   byte. Where this is not exact (a number whose first byte was put back, `%n`, a floating-point number of a limited width) the values decide nothing. */

long long __provident_input_number(void);
float __provident_input_float(void);
double __provident_input_double(void);
long double __provident_input_long_double(void);
int __provident_input_fits(void);
_Bool __provident_input_ended(void);
_Bool __provident_input_ferror(void);
int __provident_input_getchar(void);
int __provident_any_scanf(void);
int __provident_get(struct __provident_stream *from);
int __provident_is_space(int c);
unsigned __provident_digit(int c);
const char *__provident_scan_conversion(const char *at, struct __provident_reading *to);
int __provident_scan_base(int conversion);
const char *__provident_set_end(const char *set);
int __provident_in_set(const char *set, const char *end, unsigned char c);
void __provident_scan_store(unsigned long long value, int size, __builtin_va_list *arguments);
extern struct __provident_stream __provident_standard[3];

static void __provident_put_back(struct __provident_stream *to, int c) {
    if (c >= 0)
        to->back[to->pushed++] = (unsigned char)c;
}

/* White space up to something else. */
static void __provident_skip(struct __provident_stream *from) {
    while (from->pushed > 0 && __provident_is_space(from->back[from->pushed - 1]))
        from->pushed--;
    if (from->pushed == 0)
        from->after = 1;
}

/* The largest number of so many digits. */
static unsigned long long __provident_most(int width, unsigned base) {
    unsigned long long most = 1;
    for (; width > 0; width--) {
        if (most > ~0ULL / base)
            return ~0ULL;
        most *= base;
    }
    return most - 1;
}

/* The largest magnitude in so many bytes; base 0 is that of the prefix. */
static unsigned long long __provident_largest(int width, int base) {
    unsigned long long decimal, prefixed;
    if (base)
        return __provident_most(width, (unsigned)base);
    decimal = __provident_most(width, 10);
    prefixed = __provident_most(width - 2, 16);
    return decimal > prefixed ? decimal : prefixed;
}

/* Whether a number is there, of bytes that are not put back: 1; something else: 0; nothing: -1. Something else begins with a byte that is read next. `least`: the
   first value that it may have as a digit. */
static int __provident_find_field(struct __provident_stream *from, unsigned least) {
    int fits, c;
    if (from->end)
        return -1;
    fits = __provident_input_fits();
    __VERIFIER_assume(fits >= -1 && fits <= 1);
    if (fits < 0) {
        if (__provident_input_ferror())
            from->error = 1;
        else
            from->end = 1;
    } else if (fits == 0) {
        /* It may have begun as a number does. */
        c = __provident_input_getchar();
        __VERIFIER_assume(c >= -1 && c <= 255 && __provident_digit(c) >= least);
        from->after = 0;
        if (c < 0)
            from->end = 1;
        __provident_put_back(from, c);
    }
    return fits;
}

/* Whether an integer is there: 1; something else: 0; nothing: -1. */
static int __provident_find_number(struct __provident_stream *from, int base) {
    unsigned least = base ? (unsigned)base : 10;
    int c;
    if (from->pushed == 0)
        return __provident_find_field(from, least);
    c = from->back[from->pushed - 1];
    if (__provident_digit(c) < least || c == '-' || c == '+')
        return __provident_any_scanf();
    return 0;
}

/* A floating-point number without limit of width: 1, 0 or -1 as above. Its text may be hexadecimal, so that any byte but a decimal digit may follow; behind "inf" and "nan"
   there may be any. Before something else any letters of these words may have been read, so that any byte may come. */
static int __provident_read_float(struct __provident_stream *from, const struct __provident_reading *field, __builtin_va_list *arguments) {
    int fits, c, is_finite;
    if (from->pushed > 0) {
        c = from->back[from->pushed - 1];
        if (__provident_digit(c) < 10 || c == '-' || c == '+' || c == '.' || c == 'i' || c == 'I' || c == 'n' || c == 'N')
            return __provident_any_scanf();
        return 0;
    }
    fits = __provident_find_field(from, 0);
    if (fits <= 0)
        return fits;
    if (field->size == 'L' || field->size == 'q') {
        long double value = __provident_input_long_double();
        is_finite = value - value == 0;
        if (value != value)
            value = __builtin_copysignl(__builtin_nanl(""), value);
        if (field->kept)
            *__builtin_va_arg(*arguments, long double *) = value;
    } else if (field->size == 'l') {
        double value = __provident_input_double();
        is_finite = value - value == 0;
        if (value != value)
            value = __builtin_copysign(__builtin_nan(""), value);
        if (field->kept)
            *__builtin_va_arg(*arguments, double *) = value;
    } else {
        float value = __provident_input_float();
        is_finite = value - value == 0;
        if (value != value)
            value = __builtin_copysignf(__builtin_nanf(""), value);
        if (field->kept)
            *__builtin_va_arg(*arguments, float *) = value;
    }
    from->after = is_finite ? 2 : 0;
    from->base = 10;
    from->end = __provident_input_ended();
    return 1;
}

/* Whether a conversion reads a floating-point number. */
static int __provident_is_float_conversion(int c) {
    return c == 'f' || c == 'F' || c == 'e' || c == 'E' || c == 'g' || c == 'G' || c == 'a' || c == 'A';
}

static int __provident_read_number(struct __provident_stream *from, int width, int base, int wide, unsigned long long *value) {
    long long number;
    int fits = __provident_find_number(from, base);
    if (fits <= 0)
        return fits;
    number = __provident_input_number();
    if (!wide)
        __VERIFIER_assume(number == (long)number);
    if (width > 0) {
        unsigned long long most = __provident_largest(width, base), least = __provident_largest(width - 1, base);
        if (most <= 0x7fffffffffffffff)
            __VERIFIER_assume(number <= (long long)most);
        if (least <= 0x7fffffffffffffff)
            __VERIFIER_assume(number >= -(long long)least);
        from->after = 0;
    } else {
        from->after = 2;
        from->base = base ? (unsigned)base : 8;
        from->end = __provident_input_ended();
    }
    *value = (unsigned long long)number;
    return 1;
}

/* Bytes up to white space (no `set`), of a set, or any (`exact`): 1, 0 or -1 as above. A zero goes behind them but for the last kind. */
static int __provident_read_bytes(struct __provident_stream *from, int width, const char *set, const char *end, int exact, char *to) {
    int c = -1, first = 1;
    for (; width != 0; width--, first = 0) {
        c = __provident_get(from);
        if (c < 0)
            break;
        if (!exact && (set ? !__provident_in_set(set, end, (unsigned char)c) : __provident_is_space(c))) {
            __provident_put_back(from, c);
            break;
        }
        if (to)
            *to++ = (char)c;
    }
    if (first)
        return c < 0 ? -1 : 0;
    if (to && !exact)
        *to = 0;
    return 1;
}

/* A byte that has to be there: 1, 0 or -1 as above. */
static int __provident_read_this(struct __provident_stream *from, char wanted) {
    int c = __provident_get(from);
    if (c < 0)
        return -1;
    if ((char)c == wanted)
        return 1;
    __provident_put_back(from, c);
    return 0;
}

static int __provident_scan_stream(struct __provident_stream *from, const char *format, __builtin_va_list given) {
    struct __provident_reading field;
    const char *end;
    unsigned long long value = 0;
    int done = 0, fits, base, conversion;
    __builtin_va_list arguments;
    __builtin_va_copy(arguments, given);
    while (*format) {
        if (__provident_is_space(*format)) {
            __provident_skip(from);
            format++;
            continue;
        }
        if (*format != '%') {
            fits = __provident_read_this(from, *format++);
            if (fits <= 0)
                return fits < 0 && done == 0 ? -1 : done;
            continue;
        }
        format = __provident_scan_conversion(format + 1, &field);
        conversion = *format++;
        base = __provident_scan_base(conversion);
        if (conversion == 'n') {
            if (field.kept)
                __provident_scan_store((unsigned long long)__provident_any_scanf(), field.size, &arguments);
            continue;
        }
        if (conversion != 'c' && conversion != '[')
            __provident_skip(from);
        if (conversion == '%')
            fits = __provident_read_this(from, '%');
        else if (base >= 0 && conversion != 'p') {
            fits = __provident_read_number(from, field.width, base, field.size == 'q' || field.size == 'L', &value);
            if (fits > 0 && field.kept)
                __provident_scan_store(value, field.size, &arguments);
        } else if (field.width < 0 && __provident_is_float_conversion(conversion))
            fits = __provident_read_float(from, &field, &arguments);
        else if (field.size == 'l')
            return __provident_any_scanf();
        else if (conversion == 's')
            fits = __provident_read_bytes(from, field.width, 0, 0, 0, field.kept ? __builtin_va_arg(arguments, char *) : 0);
        else if (conversion == 'c')
            fits = __provident_read_bytes(from, field.width < 0 ? 1 : field.width, 0, 0, 1, field.kept ? __builtin_va_arg(arguments, char *) : 0);
        else if (conversion == '[') {
            end = __provident_set_end(format);
            fits = __provident_read_bytes(from, field.width, format, end, 0, field.kept ? __builtin_va_arg(arguments, char *) : 0);
            format = end + (*end == ']');
        } else
            return __provident_any_scanf();
        if (fits <= 0)
            return fits < 0 && done == 0 ? -1 : done;
        if (conversion != '%')
            done += field.kept;
    }
    __builtin_va_end(arguments);
    return done;
}

int vfscanf(struct __provident_stream *from, const char *format, __builtin_va_list arguments) {
    return __provident_scan_stream(from, format, arguments);
}

int vscanf(const char *format, __builtin_va_list arguments) {
    return __provident_scan_stream(&__provident_standard[0], format, arguments);
}

int fscanf(struct __provident_stream *from, const char *format, ...) {
    __builtin_va_list arguments;
    int done;
    __builtin_va_start(arguments, format);
    done = __provident_scan_stream(from, format, arguments);
    __builtin_va_end(arguments);
    return done;
}

int scanf(const char *format, ...) {
    __builtin_va_list arguments;
    int done;
    __builtin_va_start(arguments, format);
    done = __provident_scan_stream(&__provident_standard[0], format, arguments);
    __builtin_va_end(arguments);
    return done;
}
