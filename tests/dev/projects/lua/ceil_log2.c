#include "lobject.h"
#include "../harness.h"

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    __VERIFIER_assume(x >= 1);
    int r = luaO_ceillog2(x);
    assert(r >= 0 && r <= 32);
    assert(x <= 1ULL << r);
    assert(r == 0 || x > 1ULL << (r - 1));
    return 0;
}
