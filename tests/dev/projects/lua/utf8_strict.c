#include "lutf8lib.c"
#include "lobject.h"
#include "../harness.h"

int main(void)
{
    char buffer[UTF8BUFFSZ];
    utfint x = __VERIFIER_nondet_uint();
    __VERIFIER_assume(x <= MAXUNICODE);
    int n = luaO_utf8esc(buffer, x);
    assert(utf8_decode(buffer + UTF8BUFFSZ - n, NULL, 1) != NULL);
    return 0;
}
