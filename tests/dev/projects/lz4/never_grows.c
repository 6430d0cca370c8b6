#include "lz4.h"
#include "../harness.h"

int main(void)
{
    char in[4], packed[LZ4_COMPRESSBOUND(4)];
    int n = (int)any_below(5);
    any_bytes(in, 4);
    int size = LZ4_compress_default(in, packed, n, sizeof packed);
    assert(size <= n);
    return 0;
}
