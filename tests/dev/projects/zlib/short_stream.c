#include "zlib.h"
#include "../harness.h"

int main(void)
{
    unsigned char in[3], out[8];
    uLongf size = sizeof out;
    any_bytes(in, sizeof in);
    assert(uncompress(out, &size, in, any_below(4)) != Z_OK);
    return 0;
}
