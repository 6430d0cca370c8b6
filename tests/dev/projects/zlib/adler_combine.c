#include "zlib.h"
#include "../harness.h"

int main(void)
{
    unsigned char in[4];
    unsigned k = any_below(5);
    any_bytes(in, sizeof in);
    uLong first = adler32(1, in, k), second = adler32(1, in + k, 4 - k);
    assert(adler32_combine(first, second, 4 - k) == adler32(1, in, 4));
    return 0;
}
