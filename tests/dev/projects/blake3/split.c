#include "blake3.h"
#include "../harness.h"

int main(void)
{
    blake3_hasher hasher;
    unsigned char in[3], whole[32], parts[32];
    unsigned k = any_below(4);
    any_bytes(in, sizeof in);
    blake3_hasher_init(&hasher);
    blake3_hasher_update(&hasher, in, 3);
    blake3_hasher_finalize(&hasher, whole, 32);
    blake3_hasher_init(&hasher);
    blake3_hasher_update(&hasher, in, k);
    blake3_hasher_update(&hasher, in + k, 3 - k);
    blake3_hasher_finalize(&hasher, parts, 32);
    assert(memcmp(whole, parts, 32) == 0);
    return 0;
}
