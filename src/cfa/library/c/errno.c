/* errno.h: the number of the last error. It begins with 0, and no function of the library sets it to 0. */

static int errno_value;

/* The place of the one errno: there is one thread. */
int *__errno_location(void) {
    return &errno_value;
}

int *__errno(void) {
    return &errno_value;
}

int *___errno(void) {
    return &errno_value;
}

/* As Darwin names it. */
int *__error(void) {
    return &errno_value;
}
