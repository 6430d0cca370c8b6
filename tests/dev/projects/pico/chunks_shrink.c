#include <sys/types.h>
#include "picohttpparser.h"
#include "../harness.h"

int main(void)
{
    char in[5];
    struct phr_chunked_decoder decoder = { 0 };
    size_t size = any_below(sizeof in + 1), before = size;
    decoder.consume_trailer = (char)any_below(2);
    any_bytes(in, sizeof in);
    ssize_t r = phr_decode_chunked(&decoder, in, &size);
    assert(r >= -2);
    assert(size <= before);
    assert(r < 0 || (size_t)r + size <= before);
    return 0;
}
