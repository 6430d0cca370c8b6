#include "lfs_util.h"
#include "../harness.h"

int main(void)
{
    uint32_t a = __VERIFIER_nondet_uint();
    __VERIFIER_assume(a >= 2);
    uint32_t r = lfs_npw2(a);
    assert(r >= 1 && r <= 32);
    assert(a <= 1ULL << r);
    assert(a > 1ULL << (r - 1));
    return 0;
}
