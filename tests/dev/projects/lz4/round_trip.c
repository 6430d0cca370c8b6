#include "lz4.h"
#include "../harness.h"

int main(void)
{
    char in[4], packed[LZ4_COMPRESSBOUND(4)], out[4];
    int n = (int)any_below(5);
    any_bytes(in, 4);
    int size = LZ4_compress_default(in, packed, n, sizeof packed);
    assert(size > 0);
    assert(LZ4_decompress_safe(packed, out, size, n) == n);
    assert(memcmp(in, out, (size_t)n) == 0);
    return 0;
}
