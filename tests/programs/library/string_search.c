/* Lengths, searches, tokens. */
#define _GNU_SOURCE
#include <string.h>
#include <strings.h>

extern void reach_error(void);
extern void finished(void);
static void check(int holds) { if (!holds) reach_error(); }

int main(void) {
    const char *s = "one,two;one";
    check(strlen(s) == 11 && strlen("") == 0 && strnlen(s, 4) == 4 && strnlen("ab", 9) == 2);
    check(strchr(s, ',') == s + 3 && strchr(s, 'z') == 0 && strchr(s, 0) == s + 11);
    check(strrchr(s, 'o') == s + 8 && strrchr(s, '?') == 0 && strrchr(s, 0) == s + 11);
    check(index(s, 't') == s + 4 && rindex(s, 'n') == s + 9);
    check(strchrnul(s, ';') == s + 7 && strchrnul(s, '#') == s + 11);
    check(memchr(s, 'w', 11) == s + 5 && memchr(s, 'w', 5) == 0);
    check(memrchr(s, 'o', 11) == s + 8 && memrchr(s, 'o', 8) == s + 6);
    check(rawmemchr(s, 'e') == s + 2);
    check(strspn(s, "eno") == 3 && strspn("", "a") == 0 && strspn(s, "") == 0);
    check(strcspn(s, ";,") == 3 && strcspn(s, "") == 11);
    check(strpbrk(s, "wt") == s + 4 && strpbrk(s, "xyz") == 0);
    check(strstr(s, "one") == s && strstr(s, "two") == s + 4 && strstr(s, ";one") == s + 7 && strstr(s, "onex") == 0);
    check(strstr(s, "") == s && strstr("", "a") == 0 && strstr("aab", "ab") != 0);
    check(strcasestr(s, "TWO") == s + 4 && strcasestr(s, "owe") == 0);
    check(memmem(s, 11, "wo", 2) == s + 5 && memmem(s, 6, "wo;", 3) == 0 && memmem(s, 3, "", 0) == s);
    char text[] = ",,a,bc;;d,";
    check(strcmp(strtok(text, ","), "a") == 0);
    check(strcmp(strtok(0, ",;"), "bc") == 0);
    check(strcmp(strtok(0, ";,"), "d") == 0);
    check(strtok(0, ",") == 0);
    char other[] = "x y", *rest;
    check(strcmp(strtok_r(other, " ", &rest), "x") == 0 && strcmp(strtok_r(0, " ", &rest), "y") == 0 && strtok_r(0, " ", &rest) == 0);
    char fields[] = "a::b", *p = fields;
    check(strcmp(strsep(&p, ":"), "a") == 0 && strcmp(strsep(&p, ":"), "") == 0 && strcmp(strsep(&p, ":"), "b") == 0 && p == 0);
    check(strsep(&p, ":") == 0);
    check(ffs(0) == 0 && ffs(8) == 4 && ffs(-1) == 1 && ffsl(1L << 20) == 21 && ffsll(1LL << 40) == 41);
    check(ffs((int)0x80000000u) == 32);
    finished();
    return 0;
}
