#include "midl.h"
#include "../harness.h"

int main(void)
{
    MDB_ID ids[5] = { 4 }, id = __VERIFIER_nondet_ulong();
    for (int i = 1; i <= 4; i++) {
        ids[i] = __VERIFIER_nondet_ulong();
        __VERIFIER_assume(i == 1 || ids[i - 1] > ids[i]);
    }
    unsigned at = mdb_midl_search(ids, id);
    assert(at >= 1 && at <= 5);
    assert(at == 1 || ids[at - 1] > id);
    assert(at == 5 || ids[at] <= id);
    return 0;
}
