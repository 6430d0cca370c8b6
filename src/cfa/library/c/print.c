/* stdio.h: output (ISO C11, 7.21). What goes to a stream is seen by nobody; the results are those of glibc when no error occurs. */

int __provident_format_length(const char *format, __builtin_va_list given);
int __provident_format(char *to, size_t room, const char *format, __builtin_va_list given);
struct __provident_stream;

int vprintf(const char *format, __builtin_va_list arguments) {
    return __provident_format_length(format, arguments);
}

int vfprintf(struct __provident_stream *to, const char *format, __builtin_va_list arguments) {
    return __provident_format_length(format, arguments);
}

int vdprintf(int to, const char *format, __builtin_va_list arguments) {
    return __provident_format_length(format, arguments);
}

int __vprintf_chk(int flag, const char *format, __builtin_va_list arguments) {
    return __provident_format_length(format, arguments);
}

int __vfprintf_chk(struct __provident_stream *to, int flag, const char *format, __builtin_va_list arguments) {
    return __provident_format_length(format, arguments);
}

int printf(const char *format, ...) {
    __builtin_va_list arguments;
    int count;
    __builtin_va_start(arguments, format);
    count = __provident_format_length(format, arguments);
    __builtin_va_end(arguments);
    return count;
}

int fprintf(struct __provident_stream *to, const char *format, ...) {
    __builtin_va_list arguments;
    int count;
    __builtin_va_start(arguments, format);
    count = __provident_format_length(format, arguments);
    __builtin_va_end(arguments);
    return count;
}

int dprintf(int to, const char *format, ...) {
    __builtin_va_list arguments;
    int count;
    __builtin_va_start(arguments, format);
    count = __provident_format_length(format, arguments);
    __builtin_va_end(arguments);
    return count;
}

int __printf_chk(int flag, const char *format, ...) {
    __builtin_va_list arguments;
    int count;
    __builtin_va_start(arguments, format);
    count = __provident_format_length(format, arguments);
    __builtin_va_end(arguments);
    return count;
}

int __fprintf_chk(struct __provident_stream *to, int flag, const char *format, ...) {
    __builtin_va_list arguments;
    int count;
    __builtin_va_start(arguments, format);
    count = __provident_format_length(format, arguments);
    __builtin_va_end(arguments);
    return count;
}

/* Into a string. */

int vsprintf(char *to, const char *format, __builtin_va_list arguments) {
    return __provident_format(to, (size_t)-1, format, arguments);
}

int vsnprintf(char *to, size_t room, const char *format, __builtin_va_list arguments) {
    return __provident_format(to, room, format, arguments);
}

int __vsprintf_chk(char *to, int flag, size_t size, const char *format, __builtin_va_list arguments) {
    return __provident_format(to, (size_t)-1, format, arguments);
}

int __vsnprintf_chk(char *to, size_t room, int flag, size_t size, const char *format, __builtin_va_list arguments) {
    return __provident_format(to, room, format, arguments);
}

int sprintf(char *to, const char *format, ...) {
    __builtin_va_list arguments;
    int count;
    __builtin_va_start(arguments, format);
    count = __provident_format(to, (size_t)-1, format, arguments);
    __builtin_va_end(arguments);
    return count;
}

int snprintf(char *to, size_t room, const char *format, ...) {
    __builtin_va_list arguments;
    int count;
    __builtin_va_start(arguments, format);
    count = __provident_format(to, room, format, arguments);
    __builtin_va_end(arguments);
    return count;
}

int __sprintf_chk(char *to, int flag, size_t size, const char *format, ...) {
    __builtin_va_list arguments;
    int count;
    __builtin_va_start(arguments, format);
    count = __provident_format(to, (size_t)-1, format, arguments);
    __builtin_va_end(arguments);
    return count;
}

int __snprintf_chk(char *to, size_t room, int flag, size_t size, const char *format, ...) {
    __builtin_va_list arguments;
    int count;
    __builtin_va_start(arguments, format);
    count = __provident_format(to, room, format, arguments);
    __builtin_va_end(arguments);
    return count;
}

/* Into a string of its own. */
int vasprintf(char **to, const char *format, __builtin_va_list arguments) {
    int count = __provident_format_length(format, arguments);
    char *text;
    if (count < 0)
        return -1;
    text = malloc((size_t)count + 1);
    if (!text)
        return -1;
    *to = text;
    return __provident_format(text, (size_t)count + 1, format, arguments);
}

int asprintf(char **to, const char *format, ...) {
    __builtin_va_list arguments;
    int count;
    __builtin_va_start(arguments, format);
    count = vasprintf(to, format, arguments);
    __builtin_va_end(arguments);
    return count;
}
