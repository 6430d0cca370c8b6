/* stdio.h: output without a format. What goes to a stream is seen by nobody; the results are those of glibc when no error occurs. */

struct __provident_stream;

int puts(const char *text) {
    return (int)strlen(text) + 1;
}

int fputs(const char *text, struct __provident_stream *to) {
    return 1;
}

int fputs_unlocked(const char *text, struct __provident_stream *to) {
    return 1;
}

int putchar(int c) {
    return (unsigned char)c;
}

int putchar_unlocked(int c) {
    return (unsigned char)c;
}

int putc(int c, struct __provident_stream *to) {
    return (unsigned char)c;
}

int putc_unlocked(int c, struct __provident_stream *to) {
    return (unsigned char)c;
}

int fputc(int c, struct __provident_stream *to) {
    return (unsigned char)c;
}

size_t fwrite(const void *from, size_t size, size_t count, struct __provident_stream *to) {
    return size == 0 ? 0 : count;
}

void perror(const char *text) {
}
