/* errno.h: the number of the last error. It begins with 0, and no function of the library sets it to 0. */

static int library_errno;

/* The place of the one errno: there is one thread. */
int *__errno_location(void) {
    return &library_errno;
}

int *__errno(void) {
    return &library_errno;
}

int *___errno(void) {
    return &library_errno;
}

/* As Darwin names it. */
int *__error(void) {
    return &library_errno;
}

int __provident_any_errno(void);

/* Some error has happened: its number is any positive one. No way depends on which, so that a violation behind an error depends on no invented value. */
void __provident_error(void) {
    library_errno = (__provident_any_errno() & 4095) + 1;
}
