/* stdio.h: files (ISO C11, 7.21.4, 7.21.5, 7.21.9). Whether an operation succeeds is input of the program. */

_Bool __provident_input_succeeds(void);
long __provident_input_ftell(void);
int __provident_input_fileno(void);

/* 0 or -1. */
static int __provident_done(void) {
    return __provident_input_succeeds() ? 0 : -1;
}

static void __provident_reset(struct __provident_stream *stream) {
    stream->end = 0;
    stream->error = 0;
    stream->pushed = 0;
    stream->after = 0;
}

/* A stream of its own, or none. */
static struct __provident_stream *__provident_open(void) {
    struct __provident_stream *stream;
    if (!__provident_input_succeeds())
        return 0;
    stream = __builtin_malloc(sizeof *stream);
    if (stream)
        __provident_reset(stream);
    return stream;
}

struct __provident_stream *fopen(const char *name, const char *mode) {
    return __provident_open();
}

struct __provident_stream *fdopen(int descriptor, const char *mode) {
    return __provident_open();
}

struct __provident_stream *tmpfile(void) {
    return __provident_open();
}

struct __provident_stream *freopen(const char *name, const char *mode, struct __provident_stream *stream) {
    if (!__provident_input_succeeds())
        return 0;
    __provident_reset(stream);
    return stream;
}

int fclose(struct __provident_stream *stream) {
    return __provident_done();
}

int fflush(struct __provident_stream *stream) {
    return __provident_done();
}

int fseek(struct __provident_stream *stream, long offset, int from) {
    if (!__provident_input_succeeds())
        return -1;
    stream->end = 0;
    stream->pushed = 0;
    stream->after = 0;
    return 0;
}

void rewind(struct __provident_stream *stream) {
    __provident_reset(stream);
}

/* Where the stream is, or -1. */
long ftell(struct __provident_stream *stream) {
    long at = __provident_input_ftell();
    __VERIFIER_assume(at >= -1);
    return at;
}

/* The descriptor behind a stream, or -1. */
int fileno(struct __provident_stream *stream) {
    int descriptor = __provident_input_fileno();
    __VERIFIER_assume(descriptor >= -1);
    return descriptor;
}

int setvbuf(struct __provident_stream *stream, char *buffer, int mode, size_t size) {
    return __provident_done();
}

void setbuf(struct __provident_stream *stream, char *buffer) {
}

void setlinebuf(struct __provident_stream *stream) {
}

int remove(const char *name) {
    return __provident_done();
}

int rename(const char *from, const char *to) {
    return __provident_done();
}
