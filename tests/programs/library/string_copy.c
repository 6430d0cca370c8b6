/* Copying and joining. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

extern void reach_error(void);
extern void finished(void);
static void check(int holds) { if (!holds) reach_error(); }

struct pair { int a; char b[3]; };

int main(void) {
    char buffer[16];
    check(strcpy(buffer, "tree") == buffer && buffer[3] == 'e' && buffer[4] == 0);
    check(stpcpy(buffer, "oak") == buffer + 3 && buffer[3] == 0 && buffer[4] == 0);
    memset(buffer, 'x', sizeof buffer);
    strncpy(buffer, "ab", 5);
    check(buffer[1] == 'b' && buffer[2] == 0 && buffer[4] == 0 && buffer[5] == 'x');
    strncpy(buffer, "abcdef", 3);
    check(buffer[2] == 'c' && buffer[3] == 0);
    memset(buffer, 'x', sizeof buffer);
    check(stpncpy(buffer, "ab", 4) == buffer + 2 && buffer[3] == 0 && buffer[4] == 'x');
    check(stpncpy(buffer, "abcd", 2) == buffer + 2 && buffer[2] == 0);
    strcpy(buffer, "one");
    check(strcat(buffer, "two") == buffer && strlen(buffer) == 6 && buffer[3] == 't');
    strncat(buffer, "three", 2);
    check(strlen(buffer) == 8 && buffer[7] == 'h');
    check(mempcpy(buffer, "12", 2) == buffer + 2 && buffer[0] == '1' && buffer[2] == 'e');
    check(memccpy(buffer, "a:b", ':', 3) == buffer + 2 && buffer[1] == ':' && buffer[2] == 'e');
    check(memccpy(buffer, "abc", 'z', 3) == 0 && buffer[2] == 'c');
    bcopy("xyz", buffer, 3);
    check(buffer[2] == 'z');
    memmove(buffer + 1, buffer, 3);
    check(buffer[0] == 'x' && buffer[1] == 'x' && buffer[3] == 'z');
    explicit_bzero(buffer, 4);
    check(buffer[0] == 0 && buffer[3] == 0);
    char *copy = strdup("leaf");
    check(strlen(copy) == 4 && copy[3] == 'f');
    free(copy);
    copy = strndup("leaves", 3);
    check(strlen(copy) == 3 && copy[2] == 'a');
    free(copy);
    copy = strndup("no", 9);
    check(strlen(copy) == 2);
    free(copy);
    check(strxfrm(buffer, "abc", 2) == 3 && buffer[0] == 'a' && buffer[1] == 'b');
    check(strxfrm(buffer, "abc", 9) == 3 && buffer[3] == 0);
    swab("badce", buffer, 5);
    check(buffer[0] == 'a' && buffer[1] == 'b' && buffer[3] == 'd');
    struct pair p = { 7, "xy" }, q;
    memcpy(&q, &p, sizeof p);
    check(q.a == 7 && q.b[1] == 'y');
    char *(*through)(char *, const char *) = strcpy;
    check(through(buffer, "pointer") == buffer && buffer[6] == 'r');
    check(__builtin_strcpy(buffer, "q") == buffer && buffer[1] == 0);
    check(__builtin___strcpy_chk(buffer, "chk", 16) == buffer && buffer[2] == 'k');
    check(__builtin___stpcpy_chk(buffer, "ok", 16) == buffer + 2);
    finished();
    return 0;
}
