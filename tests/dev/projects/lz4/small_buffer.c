#include "lz4.h"
#include "../harness.h"

int main(void)
{
    char in[6], out[4];
    any_bytes(in, sizeof in);
    LZ4_decompress_safe(in, out, sizeof in, (int)any_below(6));
    return 0;
}
