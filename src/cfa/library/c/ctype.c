/* ctype.h in the C locale (ISO C11, 7.4). The argument is a byte or EOF. A test that holds gives the bit that glibc has for the class. */

static int is_between(int c, int low, int high) {
    return c >= low && c <= high;
}

int isdigit(int c) {
    return is_between(c, '0', '9') ? 2048 : 0;
}

int isupper(int c) {
    return is_between(c, 'A', 'Z') ? 256 : 0;
}

int islower(int c) {
    return is_between(c, 'a', 'z') ? 512 : 0;
}

int isalpha(int c) {
    return is_between(c, 'A', 'Z') || is_between(c, 'a', 'z') ? 1024 : 0;
}

int isalnum(int c) {
    return is_between(c, '0', '9') || is_between(c, 'A', 'Z') || is_between(c, 'a', 'z') ? 8 : 0;
}

int isxdigit(int c) {
    return is_between(c, '0', '9') || is_between(c, 'A', 'F') || is_between(c, 'a', 'f') ? 4096 : 0;
}

int isspace(int c) {
    return c == ' ' || is_between(c, '\t', '\r') ? 8192 : 0;
}

int isblank(int c) {
    return c == ' ' || c == '\t' ? 1 : 0;
}

int isprint(int c) {
    return is_between(c, ' ', '~') ? 16384 : 0;
}

int isgraph(int c) {
    return is_between(c, '!', '~') ? 32768 : 0;
}

int iscntrl(int c) {
    return is_between(c, 0, 31) || c == 127 ? 2 : 0;
}

int ispunct(int c) {
    return is_between(c, '!', '/') || is_between(c, ':', '@') || is_between(c, '[', '`') || is_between(c, '{', '~') ? 4 : 0;
}

int isascii(int c) {
    return is_between(c, 0, 127);
}

int toascii(int c) {
    return c & 127;
}

int tolower(int c) {
    return is_between(c, 'A', 'Z') ? c + ('a' - 'A') : c;
}

int toupper(int c) {
    return is_between(c, 'a', 'z') ? c - ('a' - 'A') : c;
}

int _tolower(int c) {
    return c + ('a' - 'A');
}

int _toupper(int c) {
    return c - ('a' - 'A');
}

/* The number of bytes of the longest character. */
size_t __ctype_get_mb_cur_max(void) {
    return 1;
}
