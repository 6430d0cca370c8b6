#include "uv.h"
#include "../harness.h"

int main(void)
{
    unsigned char in[4], out[4];
    char text[16];
    any_bytes(in, sizeof in);
    assert(uv_inet_ntop(AF_INET, in, text, sizeof text) == 0);
    assert(uv_inet_pton(AF_INET, text, out) == 0);
    assert(memcmp(in, out, 4) == 0);
    return 0;
}
