#include "blake3_impl.h"
#include "../harness.h"

int main(void)
{
    uint64_t x = __VERIFIER_nondet_ulong();
    __VERIFIER_assume(x >= 1);
    uint64_t p = round_down_to_power_of_2(x);
    assert(p >= 1 && p <= x);
    assert(x - p < p);
    assert((p & (p - 1)) == 0);
    return 0;
}
