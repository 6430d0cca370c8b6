#include "midl.h"
#include "../harness.h"

int main(void)
{
    MDB_ID into[5], from[3];
    into[0] = any_below(3);
    from[0] = any_below(3);
    for (int i = 1; i <= 2; i++) {
        into[i] = __VERIFIER_nondet_ulong();
        from[i] = __VERIFIER_nondet_ulong();
    }
    __VERIFIER_assume(into[1] >= into[2] && from[1] >= from[2]);
    MDB_ID total = into[0] + from[0];
    mdb_midl_xmerge(into, from);
    assert(into[0] == total);
    for (MDB_ID i = 2; i <= total; i++)
        assert(into[i - 1] >= into[i]);
    return 0;
}
