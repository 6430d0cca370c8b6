#include "uv.h"
#include "../harness.h"

int main(void)
{
    unsigned char in[4];
    char text[15];
    any_bytes(in, sizeof in);
    assert(uv_inet_ntop(AF_INET, in, text, sizeof text) == 0);
    return 0;
}
