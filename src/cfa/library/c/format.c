/* Formats that are known at run time only: `vsnprintf` and its relatives.

   `__provident_conversion` reads one conversion and fetches its argument; the two loops count or write. Where a conversion is not
   covered (wide characters, positions, what C does not define) the rest of the text and the result are any values that decide nothing. */

int __provident_any_printf(void);
char __provident_any_text(void);

size_t __provident_number_length(unsigned long long value, unsigned base, int sign, int flags, int width, int precision);
size_t __provident_number_put(char *to, size_t keep, size_t count, unsigned long long value, unsigned base, int sign, int flags, int width, int precision);
unsigned long long __provident_magnitude(long long value);
int __provident_sign(long long value, int flags);
size_t __provident_string_length(const char *text, int flags, int width, int precision);
size_t __provident_string_put(char *to, size_t keep, size_t count, const char *text, int flags, int width, int precision);
size_t __provident_char_length(int c, int flags, int width);
size_t __provident_char_put(char *to, size_t keep, size_t count, int c, int flags, int width);
size_t __provident_pointer_length(const void *value, int flags, int width, int precision);
size_t __provident_pointer_put(char *to, size_t keep, size_t count, const void *value, int flags, int width, int precision);
size_t __provident_keep(size_t room);
int __provident_printed(size_t count);
int __provident_finish(char *to, size_t room, size_t count);

size_t __provident_double_length(double value, int conversion, int flags, int width, int precision);
size_t __provident_double_put(char *to, size_t keep, size_t count, double value, int conversion, int flags, int width, int precision);
size_t __provident_long_double_length(long double value, int conversion, int flags, int width, int precision);
size_t __provident_long_double_put(char *to, size_t keep, size_t count, long double value, int conversion, int flags, int width, int precision);

struct __provident_conversion {
    /* 'd' number, 's' string, 'c' character, 'p' pointer, '%' itself, 'n' store, 'f' float, 0 not covered. */
    int kind;
    int flags, width, precision;
    unsigned base;
    int sign;
    unsigned long long value;
    /* Of a float: its letter, and its value by its size, `L` or not. */
    int letter;
    double real;
    long double long_real;
    const void *pointer;
    /* The length modifier: 0, 'H' for hh, 'h', 'l', 'q' for ll and j, 'z' for z and t, 'L'. */
    int size;
};

static const char *__provident_flags(const char *at, struct __provident_conversion *to) {
    to->flags = 0;
    for (;; at++) {
        if (*at == '-')
            to->flags |= 1;
        else if (*at == '+')
            to->flags |= 2;
        else if (*at == ' ')
            to->flags |= 4;
        else if (*at == '#')
            to->flags |= 8;
        else if (*at == '0')
            to->flags |= 16;
        else if (*at != '\'')
            return at;
    }
}

static const char *__provident_widths(const char *at, struct __provident_conversion *to, __builtin_va_list *arguments) {
    to->width = 0;
    to->precision = -1;
    if (*at == '*') {
        to->width = __builtin_va_arg(*arguments, int);
        at++;
    } else
        for (; *at >= '0' && *at <= '9'; at++)
            to->width = to->width * 10 + (*at - '0');
    if (*at != '.')
        return at;
    at++;
    if (*at == '*') {
        to->precision = __builtin_va_arg(*arguments, int);
        at++;
    } else
        for (to->precision = 0; *at >= '0' && *at <= '9'; at++)
            to->precision = to->precision * 10 + (*at - '0');
    return at;
}

const char *__provident_size_modifier(const char *at, int *size) {
    *size = 0;
    if (*at == 'h') {
        *size = at[1] == 'h' ? 'H' : 'h';
        return at + (*size == 'H' ? 2 : 1);
    }
    if (*at == 'l') {
        *size = at[1] == 'l' ? 'q' : 'l';
        return at + (*size == 'q' ? 2 : 1);
    }
    if (*at == 'j' || *at == 'q')
        *size = 'q';
    else if (*at == 'z' || *at == 't' || *at == 'Z')
        *size = 'z';
    else if (*at == 'L')
        *size = 'L';
    return *size ? at + 1 : at;
}

static long long __provident_signed_argument(int size, __builtin_va_list *arguments) {
    switch (size) {
    case 'H':
        return (signed char)__builtin_va_arg(*arguments, int);
    case 'h':
        return (short)__builtin_va_arg(*arguments, int);
    case 'l':
        return __builtin_va_arg(*arguments, long);
    case 'q':
    case 'L':
        return __builtin_va_arg(*arguments, long long);
    case 'z':
        return __builtin_va_arg(*arguments, ssize_t);
    }
    return __builtin_va_arg(*arguments, int);
}

static unsigned long long __provident_unsigned_argument(int size, __builtin_va_list *arguments) {
    switch (size) {
    case 'H':
        return (unsigned char)__builtin_va_arg(*arguments, unsigned);
    case 'h':
        return (unsigned short)__builtin_va_arg(*arguments, unsigned);
    case 'l':
        return __builtin_va_arg(*arguments, unsigned long);
    case 'q':
    case 'L':
        return __builtin_va_arg(*arguments, unsigned long long);
    case 'z':
        return __builtin_va_arg(*arguments, size_t);
    }
    return __builtin_va_arg(*arguments, unsigned);
}

/* Reads the conversion behind a `%`, with its argument; returns where the text goes on. */
static const char *__provident_conversion(const char *at, struct __provident_conversion *to, __builtin_va_list *arguments) {
    long long value;
    at = __provident_flags(at, to);
    at = __provident_widths(at, to, arguments);
    at = __provident_size_modifier(at, &to->size);
    to->kind = 'd';
    to->base = 10;
    to->sign = 0;
    switch (*at) {
    case 'd':
    case 'i':
        value = __provident_signed_argument(to->size, arguments);
        to->sign = __provident_sign(value, to->flags);
        to->value = __provident_magnitude(value);
        to->flags &= ~8;
        return at + 1;
    case 'u':
        to->flags &= ~8;
        break;
    case 'o':
        to->base = 8;
        break;
    case 'X':
        to->flags |= 32;
    case 'x':
        to->base = 16;
        break;
    case 'B':
        to->flags |= 32;
    case 'b':
        to->base = 2;
        break;
    case 'c':
        if (to->size == 'l') {
            to->kind = 0;
            return at;
        }
        to->kind = 'c';
        to->value = (unsigned char)__builtin_va_arg(*arguments, int);
        return at + 1;
    case 's':
        if (to->size == 'l') {
            to->kind = 0;
            return at;
        }
        to->kind = 's';
        to->pointer = __builtin_va_arg(*arguments, const char *);
        return at + 1;
    case 'p':
        to->kind = 'p';
        to->pointer = __builtin_va_arg(*arguments, void *);
        return at + 1;
    case 'E':
    case 'F':
    case 'G':
    case 'A':
        to->flags |= 32;
    case 'e':
    case 'f':
    case 'g':
    case 'a':
        to->kind = 'f';
        to->letter = *at | 32;
        if (to->size == 'L')
            to->long_real = __builtin_va_arg(*arguments, long double);
        else
            to->real = __builtin_va_arg(*arguments, double);
        return at + 1;
    case '%':
        to->kind = '%';
        return at + 1;
    case 'n':
        to->kind = 'n';
        return at + 1;
    default:
        to->kind = 0;
        return at;
    }
    to->value = __provident_unsigned_argument(to->size, arguments);
    return at + 1;
}

/* `%n`: how many characters there were so far. */
static void __provident_store_count(size_t count, int size, __builtin_va_list *arguments) {
    switch (size) {
    case 'H':
        *__builtin_va_arg(*arguments, signed char *) = (signed char)count;
        break;
    case 'h':
        *__builtin_va_arg(*arguments, short *) = (short)count;
        break;
    case 'l':
        *__builtin_va_arg(*arguments, long *) = (long)count;
        break;
    case 'q':
    case 'L':
        *__builtin_va_arg(*arguments, long long *) = (long long)count;
        break;
    case 'z':
        *__builtin_va_arg(*arguments, size_t *) = count;
        break;
    default:
        *__builtin_va_arg(*arguments, int *) = (int)count;
    }
}

static size_t __provident_float_put(char *to, size_t keep, size_t count, const struct __provident_conversion *field) {
    if (field->size == 'L')
        return __provident_long_double_put(to, keep, count, field->long_real, field->letter, field->flags, field->width, field->precision);
    return __provident_double_put(to, keep, count, field->real, field->letter, field->flags, field->width, field->precision);
}

/* How many characters a format makes, `%n` included. */
int __provident_format_length(const char *format, __builtin_va_list given) {
    struct __provident_conversion field;
    size_t count = 0;
    __builtin_va_list arguments;
    __builtin_va_copy(arguments, given);
    while (*format) {
        if (*format != '%') {
            count++;
            format++;
            continue;
        }
        format = __provident_conversion(format + 1, &field, &arguments);
        if (field.kind == 'd')
            count += __provident_number_length(field.value, field.base, field.sign, field.flags, field.width,
                                               field.precision);
        else if (field.kind == 's')
            count += __provident_string_length(field.pointer, field.flags, field.width, field.precision);
        else if (field.kind == 'c')
            count += __provident_char_length((int)field.value, field.flags, field.width);
        else if (field.kind == 'p')
            count += __provident_pointer_length(field.pointer, field.flags, field.width, field.precision);
        else if (field.kind == 'f')
            count = __provident_float_put(0, 0, count, &field);
        else if (field.kind == '%')
            count++;
        else if (field.kind == 'n')
            __provident_store_count(count, field.size, &arguments);
        else
            return __provident_any_printf();
    }
    __builtin_va_end(arguments);
    return __provident_printed(count);
}

/* How many bytes a conversion that is not covered may write from position `count` on. */
static size_t __provident_rest(size_t count, size_t room) {
    size_t rest = (size_t)__provident_any_printf();
    __VERIFIER_assume(count >= room ? rest == 0 : rest <= room - count);
    return rest;
}

/* Writes what a format makes into `room` bytes. */
int __provident_format(char *to, size_t room, const char *format, __builtin_va_list given) {
    struct __provident_conversion field;
    size_t count = 0, keep = __provident_keep(room);
    __builtin_va_list arguments;
    __builtin_va_copy(arguments, given);
    while (*format) {
        if (*format != '%') {
            if (count < keep)
                to[count] = *format;
            count++;
            format++;
            continue;
        }
        format = __provident_conversion(format + 1, &field, &arguments);
        if (field.kind == 'd')
            count = __provident_number_put(to, keep, count, field.value, field.base, field.sign, field.flags,
                                           field.width, field.precision);
        else if (field.kind == 's')
            count = __provident_string_put(to, keep, count, field.pointer, field.flags, field.width, field.precision);
        else if (field.kind == 'c')
            count = __provident_char_put(to, keep, count, (int)field.value, field.flags, field.width);
        else if (field.kind == 'p')
            count = __provident_pointer_put(to, keep, count, field.pointer, field.flags, field.width, field.precision);
        else if (field.kind == 'f')
            count = __provident_float_put(to, keep, count, &field);
        else if (field.kind == '%') {
            if (count < keep)
                to[count] = '%';
            count++;
        } else if (field.kind == 'n')
            __provident_store_count(count, field.size, &arguments);
        else {
            for (keep = __provident_rest(count, room); keep; keep--)
                to[count++] = __provident_any_text();
            return __provident_any_printf();
        }
    }
    __builtin_va_end(arguments);
    return __provident_finish(to, room, count);
}
