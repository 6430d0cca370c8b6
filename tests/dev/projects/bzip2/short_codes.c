#include "bzlib_private.h"
#include "../harness.h"

void bz_internal_error(int code) { (void)code; assert(0); }

int main(void)
{
    UChar len[4];
    Int32 freq[4];
    for (int i = 0; i < 4; i++)
        freq[i] = (Int32)any_below(100);
    BZ2_hbMakeCodeLengths(len, freq, 4, 17);
    for (int i = 0; i < 4; i++)
        assert(len[i] <= 2);
    return 0;
}
