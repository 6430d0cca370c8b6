#include "bzlib_private.h"
#include "../harness.h"

void bz_internal_error(int code) { (void)code; assert(0); }

int main(void)
{
    UChar len[3];
    Int32 freq[3], sum = 0;
    for (int i = 0; i < 3; i++)
        freq[i] = (Int32)any_below(100);
    BZ2_hbMakeCodeLengths(len, freq, 3, 17);
    for (int i = 0; i < 3; i++) {
        assert(len[i] >= 1 && len[i] <= 2);
        sum += 1 << (2 - len[i]);
    }
    assert(sum == 4);
    return 0;
}
