#include "blake3.c"
#include "../harness.h"

int main(void)
{
    size_t n = __VERIFIER_nondet_ulong();
    assert(left_subtree_len(n) < n);
    return 0;
}
