#include "bzlib_private.h"
#include "../harness.h"

void bz_internal_error(int code) { (void)code; assert(0); }

int main(void)
{
    UChar length[4];
    Int32 limit[BZ_MAX_CODE_LEN], base[BZ_MAX_CODE_LEN], perm[4];
    for (int i = 0; i < 4; i++)
        length[i] = (UChar)(1 + any_below(3));
    BZ2_hbCreateDecodeTables(limit, base, perm, length, 1, 3, 4);
    return 0;
}
