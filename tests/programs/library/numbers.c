/* Numbers in texts, absolute values, quotients. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

extern void reach_error(void);
extern void finished(void);
static void check(int holds) { if (!holds) reach_error(); }

int main(void) {
    char *end;
    const char *s;
    check(atoi("42") == 42 && atoi(" \t-17x") == -17 && atoi("+5") == 5 && atoi("x") == 0 && atol("123456789012") == 123456789012L);
    check(atoll("-9000000000") == -9000000000LL);
    s = "  0x1Fz";
    check(strtol(s, &end, 16) == 31 && end == s + 6);
    check(strtol(s, &end, 0) == 31 && end == s + 6);
    check(strtol(s, &end, 10) == 0 && end == s + 3);
    s = "0779";
    check(strtol(s, &end, 0) == 63 && end == s + 3 && strtol(s, 0, 10) == 779);
    s = "0xg";
    check(strtol(s, &end, 16) == 0 && end == s + 1);
    s = "zz";
    check(strtol(s, &end, 36) == 35 * 36 + 35 && end == s + 2);
    s = " +";
    check(strtol(s, &end, 10) == 0 && end == s);
    check(strtol("-101", 0, 2) == -5);
    errno = 0;
    check(strtol("9223372036854775807", 0, 10) == LONG_MAX && errno == 0);
    check(strtol("9223372036854775808", &end, 10) == LONG_MAX && errno == ERANGE && *end == 0);
    errno = 0;
    check(strtol("-9223372036854775808", 0, 10) == LONG_MIN && errno == 0);
    check(strtol("-9223372036854775809", 0, 10) == LONG_MIN && errno == ERANGE);
    errno = 0;
    check(strtoul("-1", 0, 10) == ULONG_MAX && errno == 0);
    check(strtoul("-18446744073709551615", 0, 10) == 1 && errno == 0);
    check(strtoul("18446744073709551616", 0, 10) == ULONG_MAX && errno == ERANGE);
    errno = 0;
    check(strtoul("-18446744073709551616", 0, 10) == ULONG_MAX && errno == ERANGE);
    errno = 0;
    check(strtol("1", &end, 1) == 0 && errno == EINVAL);
    check(strtoll("123", 0, 8) == 83 && strtoull("ff", 0, 16) == 255);
    check(strtoimax("-12", 0, 10) == -12 && strtoumax("12", 0, 10) == 12);
    check(abs(-3) == 3 && labs(-4L) == 4 && llabs(-5LL) == 5 && imaxabs(-6) == 6 && abs(7) == 7);
    div_t d = div(-17, 5);
    check(d.quot == -3 && d.rem == -2);
    ldiv_t l = ldiv(17, -5);
    check(l.quot == -3 && l.rem == 2);
    lldiv_t ll = lldiv(1LL << 40, 1000);
    check(ll.quot == 1099511627LL && ll.rem == 776);
    imaxdiv_t im = imaxdiv(9, 2);
    check(im.quot == 4 && im.rem == 1);
    finished();
    return 0;
}
