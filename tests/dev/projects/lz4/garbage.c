#include "lz4.h"
#include "../harness.h"

int main(void)
{
    char in[4], out[8];
    any_bytes(in, sizeof in);
    LZ4_decompress_safe(in, out, sizeof in, sizeof out);
    return 0;
}
