#include "midl.h"
#include "../harness.h"

int main(void)
{
    int num = __VERIFIER_nondet_int();
    __VERIFIER_assume(num >= -1 && num <= 8);
    MDB_IDL ids = mdb_midl_alloc(num);
    mdb_midl_free(ids);
    return 0;
}
