#include "midl.h"
#include "../harness.h"

int main(void)
{
    MDB_IDL ids = mdb_midl_alloc(2);
    unsigned num = __VERIFIER_nondet_uint();
    if (ids == NULL || mdb_midl_need(&ids, num) != 0)
        return 0;
    assert(MDB_IDL_ALLOCLEN(ids) >= num);
    return 0;
}
