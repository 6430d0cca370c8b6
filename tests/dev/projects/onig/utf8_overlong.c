#include "regenc.h"
#include "../harness.h"

int main(void)
{
    OnigEncoding utf8 = ONIG_ENCODING_UTF8;
    UChar in[3], again[ONIGENC_CODE_TO_MBC_MAXLEN];
    any_bytes(in, sizeof in);
    if (ONIGENC_IS_VALID_MBC_STRING(utf8, in, in + 3) && ONIGENC_MBC_ENC_LEN(utf8, in) == 3) {
        OnigCodePoint code = ONIGENC_MBC_TO_CODE(utf8, in, in + 3);
        assert(ONIGENC_CODE_TO_MBC(utf8, code, again) == 3);
    }
    return 0;
}
