#include "uv.h"
#include "idna.h"
#include "../harness.h"

int main(void)
{
    char in[4];
    const char *p = in;
    any_bytes(in, sizeof in);
    unsigned c = uv__utf8_decode1(&p, in + 4);
    if (c != (unsigned)-1)
        for (const char *tail = in + 1; tail < p; tail++)
            assert((*tail & 0xc0) == 0x80);
    return 0;
}
