#include "uv.h"
#include "idna.h"
#include "../harness.h"

int main(void)
{
    char in[4];
    unsigned n = 1 + any_below(4);
    const char *p = in;
    any_bytes(in, sizeof in);
    unsigned c = uv__utf8_decode1(&p, in + n);
    assert(p > in && p <= in + n);
    assert(c == (unsigned)-1 || c < 0xd800 || (c > 0xdfff && c <= 0x10ffff));
    return 0;
}
