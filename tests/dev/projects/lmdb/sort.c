#include "midl.h"
#include "../harness.h"

int main(void)
{
    MDB_ID ids[5] = { 4 }, id = __VERIFIER_nondet_ulong();
    int before = 0, after = 0;
    for (int i = 1; i <= 4; i++) {
        ids[i] = __VERIFIER_nondet_ulong();
        before += ids[i] == id;
    }
    mdb_midl_sort(ids);
    for (int i = 1; i <= 4; i++) {
        assert(i == 1 || ids[i - 1] >= ids[i]);
        after += ids[i] == id;
    }
    assert(before == after);
    return 0;
}
