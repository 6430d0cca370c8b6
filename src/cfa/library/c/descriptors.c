/* unistd.h, fcntl.h, sys/socket.h, sys/random.h: descriptors. Which bytes arrive, how many, and whether an operation succeeds are inputs of the program. A buffer gets as many bytes as
   arrive: only they have to fit. */

int __provident_input_open(void);
_Bool __provident_input_done(void);
long __provident_input_read(void);
char __provident_input_byte(void);
long __provident_input_write(void);
long __provident_input_lseek(void);

/* 0, or -1 with errno. */
static int __provident_carried_out(void) {
    if (__provident_input_done())
        return 0;
    __provident_error();
    return -1;
}

/* A new descriptor, or -1 with errno. */
static int __provident_descriptor(void) {
    int descriptor = __provident_input_open();
    __VERIFIER_assume(descriptor >= -1);
    if (descriptor < 0)
        __provident_error();
    return descriptor;
}

/* How many bytes an operation has handled, up to a number; -1 with errno. */
static ssize_t __provident_handled(long count, size_t most) {
    __VERIFIER_assume(count == -1 || count >= 0 && (size_t)count <= most);
    if (count < 0)
        __provident_error();
    return count;
}

/* Bytes that arrive: how many, or -1 with errno. */
static ssize_t __provident_receive(char *to, size_t most) {
    ssize_t count = __provident_handled(__provident_input_read(), most);
    for (ssize_t i = 0; i < count; i++)
        to[i] = __provident_input_byte();
    return count;
}

int open(const char *path, int flags, ...) {
    return __provident_descriptor();
}

int open64(const char *path, int flags, ...) {
    return __provident_descriptor();
}

int openat(int folder, const char *path, int flags, ...) {
    return __provident_descriptor();
}

int creat(const char *path, unsigned mode) {
    return __provident_descriptor();
}

int dup(int descriptor) {
    return __provident_descriptor();
}

/* The descriptor that was asked for. */
int dup2(int descriptor, int wanted) {
    if (wanted >= 0 && __provident_input_done())
        return wanted;
    __provident_error();
    return -1;
}

/* Both ends of a pipe. */
int pipe(int ends[2]) {
    if (__provident_carried_out() < 0)
        return -1;
    for (int i = 0; i < 2; i++) {
        ends[i] = __provident_input_open();
        __VERIFIER_assume(ends[i] >= 0);
    }
    __VERIFIER_assume(ends[0] != ends[1]);
    return 0;
}

int close(int descriptor) {
    return __provident_carried_out();
}

int fsync(int descriptor) {
    return __provident_carried_out();
}

int fdatasync(int descriptor) {
    return __provident_carried_out();
}

ssize_t read(int descriptor, void *to, size_t size) {
    return __provident_receive(to, size);
}

ssize_t pread(int descriptor, void *to, size_t size, long offset) {
    return __provident_receive(to, size);
}

ssize_t recv(int socket, void *to, size_t size, int flags) {
    return __provident_receive(to, size);
}

ssize_t getrandom(void *to, size_t size, unsigned flags) {
    return __provident_receive(to, size);
}

/* All bytes or none. */
int getentropy(void *to, size_t size) {
    char *bytes = to;
    if (size > 256 || __provident_carried_out() < 0)
        return -1;
    for (size_t i = 0; i < size; i++)
        bytes[i] = __provident_input_byte();
    return 0;
}

/* How many of the bytes were written; -1 with errno. */
ssize_t write(int descriptor, const void *bytes, size_t size) {
    return __provident_handled(__provident_input_write(), size);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t size, long offset) {
    return __provident_handled(__provident_input_write(), size);
}

ssize_t send(int socket, const void *bytes, size_t size, int flags) {
    return __provident_handled(__provident_input_write(), size);
}

/* Where the next operation begins; -1 with errno. */
long lseek(int descriptor, long offset, int from) {
    long at = __provident_input_lseek();
    __VERIFIER_assume(at >= -1);
    if (at < 0)
        __provident_error();
    return at;
}

int access(const char *path, int mode) {
    return __provident_carried_out();
}

int unlink(const char *path) {
    return __provident_carried_out();
}

int rmdir(const char *path) {
    return __provident_carried_out();
}

int mkdir(const char *path, unsigned mode) {
    return __provident_carried_out();
}

int chdir(const char *path) {
    return __provident_carried_out();
}
