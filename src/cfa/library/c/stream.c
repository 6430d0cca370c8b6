/* stdio.h: streams (ISO C11, 7.21). What is read is input of the program: each byte is any byte, or there is no further one, because of the end or of an error.
   After the end there is nothing until it is cleared, as in glibc. Writing always succeeds and is seen by nobody. */

int __provident_input_getchar(void);
_Bool __provident_input_ferror(void);
int __provident_is_space(int c);
unsigned __provident_digit(int c);

struct __provident_stream __provident_standard[3];

/* Whether a byte can follow what formatted input has read. */
static int __provident_may_follow(struct __provident_stream *from, int c) {
    if (from->after == 1)
        return !__provident_is_space(c);
    if (from->after == 2)
        return __provident_digit(c) >= from->base;
    return __provident_is_space(c);
}

/* The next byte, or -1. */
int __provident_get(struct __provident_stream *from) {
    int c;
    if (from->pushed > 0)
        return from->back[--from->pushed];
    if (from->end)
        return -1;
    c = __provident_input_getchar();
    __VERIFIER_assume(c >= -1 && c <= 255);
    if (c < 0) {
        if (__provident_input_ferror())
            from->error = 1;
        else
            from->end = 1;
        return -1;
    }
    if (from->after) {
        __VERIFIER_assume(__provident_may_follow(from, c));
        from->after = 0;
    }
    return c;
}

/* At least one byte can be put back, here four. */
int ungetc(int c, struct __provident_stream *to) {
    if (c == -1 || to->pushed == 4)
        return -1;
    to->back[to->pushed++] = (unsigned char)c;
    to->end = 0;
    return (unsigned char)c;
}

int fgetc(struct __provident_stream *from) {
    return __provident_get(from);
}

int getc(struct __provident_stream *from) {
    return __provident_get(from);
}

int getc_unlocked(struct __provident_stream *from) {
    return __provident_get(from);
}

int getchar(void) {
    return __provident_get(&__provident_standard[0]);
}

int getchar_unlocked(void) {
    return __provident_get(&__provident_standard[0]);
}

/* Reads at most `most` bytes of a line; how many there were, or -1 after an error. */
static long __provident_line(struct __provident_stream *from, char *to, long most) {
    long count = 0;
    int c, error = from->error;
    from->error = 0;
    while (count < most && (c = __provident_get(from)) >= 0) {
        to[count++] = (char)c;
        if (c == '\n')
            break;
    }
    if (from->error)
        return -1;
    from->error = error;
    return count;
}

char *fgets(char *to, int room, struct __provident_stream *from) {
    long count;
    if (room <= 0)
        return 0;
    if (room == 1) {
        to[0] = 0;
        return to;
    }
    count = __provident_line(from, to, room - 1);
    if (count <= 0)
        return 0;
    to[count] = 0;
    return to;
}

char *__fgets_chk(char *to, size_t size, int room, struct __provident_stream *from) {
    return fgets(to, room, from);
}

char *gets(char *to) {
    long count = __provident_line(&__provident_standard[0], to, 0x7fffffff);
    if (count <= 0)
        return 0;
    to[to[count - 1] == '\n' ? count - 1 : count] = 0;
    return to;
}

/* A line of any length in an object that grows. */
ssize_t getline(char **line, size_t *room, struct __provident_stream *from) {
    size_t count = 0;
    int c;
    while ((c = __provident_get(from)) >= 0) {
        if (!*line || count + 2 > *room) {
            char *wider = realloc(*line, 2 * count + 16);
            if (!wider)
                return -1;
            *line = wider;
            *room = 2 * count + 16;
        }
        (*line)[count++] = (char)c;
        if (c == '\n')
            break;
    }
    if (count == 0)
        return -1;
    (*line)[count] = 0;
    return (ssize_t)count;
}

size_t fread(void *to, size_t size, size_t count, struct __provident_stream *from) {
    unsigned char *bytes = to;
    size_t all = size * count, done = 0;
    int c;
    if (all == 0)
        return 0;
    while (done < all && (c = __provident_get(from)) >= 0)
        bytes[done++] = (unsigned char)c;
    return done == all ? count : done / size;
}

int feof(struct __provident_stream *of) {
    return of->end;
}

int ferror(struct __provident_stream *of) {
    return of->error;
}

void clearerr(struct __provident_stream *of) {
    of->end = 0;
    of->error = 0;
}
