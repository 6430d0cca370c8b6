/* Classes and cases of all characters, by the functions and by the tables of the header. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>

extern void reach_error(void);
extern void finished(void);
static void check(int holds) { if (!holds) reach_error(); }

static void functions(int c) {
    check(!(isalnum)(c) == !((isalpha)(c) || (isdigit)(c)));
    check(!(isalpha)(c) == !((isupper)(c) || (islower)(c)));
    check(!(isgraph)(c) == !((isalnum)(c) || (ispunct)(c)));
    check(!(isprint)(c) == !((isgraph)(c) || c == ' '));
    check(!(iscntrl)(c) == !(c >= 0 && c < 32 || c == 127));
    check(!(isspace)(c) == !(c == ' ' || c >= 9 && c <= 13));
    check(!(isblank)(c) == !(c == ' ' || c == 9));
    check(!(isxdigit)(c) == !((isdigit)(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'));
    check((tolower)((toupper)(c)) == (tolower)(c));
}

static void same(int c) {
    check(!isalnum(c) == !(isalnum)(c) && !isalpha(c) == !(isalpha)(c) && !isdigit(c) == !(isdigit)(c));
    check(!isupper(c) == !(isupper)(c) && !islower(c) == !(islower)(c) && !ispunct(c) == !(ispunct)(c));
    check(!isspace(c) == !(isspace)(c) && !isblank(c) == !(isblank)(c) && !isxdigit(c) == !(isxdigit)(c));
    check(!isprint(c) == !(isprint)(c) && !isgraph(c) == !(isgraph)(c) && !iscntrl(c) == !(iscntrl)(c));
    check(tolower(c) == (tolower)(c) && toupper(c) == (toupper)(c));
    if (c != EOF)
        check((*__ctype_tolower_loc())[c] == (tolower)(c) && (*__ctype_toupper_loc())[c] == (toupper)(c));
}

int main(void) {
    for (int c = EOF; c < 256; c++) {
        functions(c);
        same(c);
    }
    check((isdigit)('5') && !(isdigit)('a') && (isupper)('Q') && (islower)('q') && (ispunct)('!') && (iscntrl)(127));
    check(toascii(0xe1) == 0x61 && isascii(127) && !isascii(128));
    check(_tolower('A') == 'a' && _toupper('z') == 'Z');
    finished();
    return 0;
}
