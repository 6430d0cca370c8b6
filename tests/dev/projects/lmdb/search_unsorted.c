#include "midl.h"
#include "../harness.h"

int main(void)
{
    MDB_ID ids[5] = { 4 }, id = __VERIFIER_nondet_ulong();
    for (int i = 1; i <= 4; i++)
        ids[i] = __VERIFIER_nondet_ulong();
    unsigned at = mdb_midl_search(ids, id);
    for (unsigned i = 1; i <= 4; i++)
        if (ids[i] == id)
            assert(at <= 4 && ids[at] == id);
    return 0;
}
