/* Comparisons: signs of results, bytes as unsigned, lengths. */
#define _GNU_SOURCE
#include <string.h>
#include <strings.h>

extern void reach_error(void);
extern void finished(void);
extern int __VERIFIER_nondet_int(void);
static void check(int holds) { if (!holds) reach_error(); }

int main(void) {
    char high[] = { (char)0xe9, 0 };
    check(strcmp("abc", "abc") == 0 && strcmp("abc", "abd") < 0 && strcmp("b", "abc") > 0);
    check(strcmp("ab", "abc") < 0 && strcmp("", "") == 0 && strcmp(high, "z") > 0);
    check(strncmp("abcx", "abcy", 3) == 0 && strncmp("abcx", "abcy", 4) < 0);
    check(strncmp("a", "b", 0) == 0 && strncmp("ab", "ab", 99) == 0);
    check(strcoll("x", "y") < 0);
    check(memcmp("a\0b", "a\0c", 3) < 0 && memcmp("a\0b", "a\0c", 2) == 0 && memcmp(high, "z", 1) > 0);
    check(bcmp("ab", "ab", 2) == 0 && bcmp("ab", "ac", 2) != 0);
    check(strcasecmp("Hello", "hELLO") == 0 && strcasecmp("a", "B") < 0 && strcasecmp("ab", "A") > 0);
    check(strncasecmp("ABx", "aby", 2) == 0 && strncasecmp("ABx", "aby", 3) < 0);
    char word[4] = "aaa";
    int at = __VERIFIER_nondet_int();
    if (at >= 0 && at < 3) {
        word[at] = 'b';
        check(strcmp(word, "aaa") > 0);
    }
    unsigned numbers[2] = { 1, 2 }, others[2] = { 1, 2 };
    check(memcmp(numbers, others, sizeof numbers) == 0);
    int (*through)(const char *, const char *) = strcmp;
    check(through("p", "q") < 0);
    finished();
    return 0;
}
