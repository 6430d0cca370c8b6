#include "xxhash.h"
#include "../harness.h"

int main(void)
{
    unsigned char in[6];
    unsigned seed = __VERIFIER_nondet_uint(), k = any_below(7);
    XXH32_state_t state;
    any_bytes(in, sizeof in);
    XXH32_reset(&state, seed);
    XXH32_update(&state, in, k);
    XXH32_update(&state, in + k, sizeof in - k);
    assert(XXH32_digest(&state) == XXH32(in, sizeof in, seed));
    return 0;
}
