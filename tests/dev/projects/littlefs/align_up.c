#include "lfs_util.h"
#include "../harness.h"

int main(void)
{
    uint32_t a = __VERIFIER_nondet_uint(), alignment = 1 + any_below(4096);
    uint32_t up = lfs_alignup(a, alignment);
    assert(up >= a && up - a < alignment);
    return 0;
}
