#include <sys/types.h>
#include "picohttpparser.h"
#include "../harness.h"

int main(void)
{
    char in[5];
    struct phr_chunked_decoder decoder = { 0 };
    size_t size = sizeof in;
    any_bytes(in, sizeof in);
    ssize_t r = phr_decode_chunked(&decoder, in, &size);
    assert(r < 0 || size > 0);
    return 0;
}
