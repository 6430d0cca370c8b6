#include "uv.h"
#include "../harness.h"

int main(void)
{
    char text[5];
    unsigned char out[16];
    any_string(text, 4);
    uv_inet_pton(AF_INET6, text, out);
    return 0;
}
