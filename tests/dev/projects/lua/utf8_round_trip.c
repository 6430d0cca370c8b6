#include "lutf8lib.c"
#include "lobject.h"
#include "../harness.h"

int main(void)
{
    char buffer[UTF8BUFFSZ];
    utfint value, x = __VERIFIER_nondet_uint();
    __VERIFIER_assume(x <= MAXUTF);
    int n = luaO_utf8esc(buffer, x);
    assert(n >= 1 && n <= 6);
    const char *start = buffer + UTF8BUFFSZ - n;
    assert(utf8_decode(start, &value, 0) == buffer + UTF8BUFFSZ);
    assert(value == x);
    return 0;
}
