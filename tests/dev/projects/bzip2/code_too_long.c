#include "bzlib_private.h"
#include "../harness.h"

void bz_internal_error(int code) { (void)code; assert(0); }

int main(void)
{
    UChar length[4];
    Int32 limit[BZ_MAX_CODE_LEN], base[BZ_MAX_CODE_LEN], perm[4];
    for (int i = 0; i < 4; i++)
        length[i] = (UChar)any_below(BZ_MAX_CODE_LEN);
    BZ2_hbCreateDecodeTables(limit, base, perm, length, 1, 20, 4);
    return 0;
}
