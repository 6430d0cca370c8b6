/* `vsscanf` (ISO C11, 7.21.6.2): reads a string as its format says. What is not covered (wide characters, memory that the function allocates, positions) makes the result any value that decides nothing, and writes nothing. */

int __provident_any_scanf(void);
int __provident_is_space(int c);
const char *__provident_size_modifier(const char *at, int *size);
const char *__provident_scan_space(const char *from);
const char *__provident_scan_number(const char *from, int width, unsigned base, int is_signed, int wide, unsigned long long *value);
const char *__provident_scan_word(const char *from, int width, char *to);
const char *__provident_scan_chars(const char *from, int width, char *to);
const char *__provident_scan_float(const char *from, int width);
int __provident_scan_float_value(const char *s, const char *bound, int kept, int size, __builtin_va_list *arguments);
const char *__provident_set_end(const char *set);
const char *__provident_scan_set(const char *from, int width, const char *set, const char *end, char *to);

/* Flags, width and length modifier behind a `%`. */
const char *__provident_scan_conversion(const char *at, struct __provident_reading *to) {
    to->kept = 1;
    if (*at == '*') {
        to->kept = 0;
        at++;
    }
    to->width = 0;
    for (; *at >= '0' && *at <= '9'; at++)
        to->width = to->width * 10 + (*at - '0');
    if (to->width == 0)
        to->width = -1;
    return __provident_size_modifier(at, &to->size);
}

/* Stores a number in the object that the next argument points to. */
void __provident_scan_store(unsigned long long value, int size, __builtin_va_list *arguments) {
    switch (size) {
    case 'H':
        *__builtin_va_arg(*arguments, signed char *) = (signed char)value;
        break;
    case 'h':
        *__builtin_va_arg(*arguments, short *) = (short)value;
        break;
    case 'l':
        *__builtin_va_arg(*arguments, long *) = (long)value;
        break;
    case 'q':
    case 'L':
        *__builtin_va_arg(*arguments, long long *) = (long long)value;
        break;
    case 'z':
        *__builtin_va_arg(*arguments, size_t *) = (size_t)value;
        break;
    default:
        *__builtin_va_arg(*arguments, int *) = (int)value;
    }
}

/* The base of an integer conversion, 0 for that of the prefix; -1 for what is no integer conversion. */
int __provident_scan_base(int conversion) {
    switch (conversion) {
    case 'd':
    case 'u':
        return 10;
    case 'i':
        return 0;
    case 'o':
        return 8;
    case 'x':
    case 'X':
    case 'p':
        return 16;
    }
    return -1;
}

static int __provident_scan(const char *text, const char *format, __builtin_va_list given) {
    struct __provident_reading field;
    const char *at = text, *next, *end;
    unsigned long long value;
    int done = 0, base, conversion;
    __builtin_va_list arguments;
    __builtin_va_copy(arguments, given);
    while (*format) {
        if (__provident_is_space(*format)) {
            at = __provident_scan_space(at);
            format++;
            continue;
        }
        if (*format != '%') {
            if (!*at)
                return done ? done : -1;
            if (*at != *format)
                return done;
            at++;
            format++;
            continue;
        }
        format = __provident_scan_conversion(format + 1, &field);
        conversion = *format++;
        if (conversion == 'n') {
            if (field.kept)
                __provident_scan_store((unsigned long long)(at - text), field.size, &arguments);
            continue;
        }
        if (conversion != 'c' && conversion != '[')
            at = __provident_scan_space(at);
        if (conversion == '%') {
            if (!*at)
                return done ? done : -1;
            if (*at != '%')
                return done;
            at++;
            continue;
        }
        base = __provident_scan_base(conversion);
        if ((conversion | 32) == 'a' || (conversion | 32) >= 'e' && (conversion | 32) <= 'g') {
            if (!*at)
                return done ? done : -1;
            next = __provident_scan_float(at, field.width);
            if (!next || !__provident_scan_float_value(at, next, field.kept, field.size, &arguments))
                return done;
            at = next;
            done += field.kept;
            continue;
        }
        if (base < 0 && (field.size == 'l' || (conversion != 's' && conversion != 'c' && conversion != '[')))
            return __provident_any_scanf();
        if (!*at)
            return done ? done : -1;
        if (base >= 0) {
            if (conversion == 'p')
                field.size = 'l';
            next = __provident_scan_number(at, field.width, (unsigned)base, conversion == 'd' || conversion == 'i',
                                           field.size == 'q' || field.size == 'L', &value);
            if (next && field.kept) {
                if (conversion == 'p')
                    *__builtin_va_arg(arguments, void **) = (void *)(size_t)value;
                else
                    __provident_scan_store(value, field.size, &arguments);
            }
        } else if (conversion == 's')
            next = __provident_scan_word(at, field.width, field.kept ? __builtin_va_arg(arguments, char *) : 0);
        else if (conversion == 'c')
            next = __provident_scan_chars(at, field.width < 0 ? 1 : field.width,
                                          field.kept ? __builtin_va_arg(arguments, char *) : 0);
        else {
            end = __provident_set_end(format);
            next = __provident_scan_set(at, field.width, format, end,
                                        field.kept ? __builtin_va_arg(arguments, char *) : 0);
            format = end + (*end == ']');
        }
        if (!next)
            return done;
        at = next;
        done += field.kept;
    }
    __builtin_va_end(arguments);
    return done;
}

int vsscanf(const char *text, const char *format, __builtin_va_list arguments) {
    return __provident_scan(text, format, arguments);
}

int sscanf(const char *text, const char *format, ...) {
    __builtin_va_list arguments;
    int done;
    __builtin_va_start(arguments, format);
    done = __provident_scan(text, format, arguments);
    __builtin_va_end(arguments);
    return done;
}
