#include "regenc.h"
#include "../harness.h"

int main(void)
{
    OnigEncoding utf8 = ONIG_ENCODING_UTF8;
    UChar buffer[ONIGENC_CODE_TO_MBC_MAXLEN];
    OnigCodePoint code = __VERIFIER_nondet_uint();
    __VERIFIER_assume(code <= 0x10ffff);
    int n = ONIGENC_CODE_TO_MBC(utf8, code, buffer);
    assert(n == ONIGENC_CODE_TO_MBCLEN(utf8, code));
    assert(ONIGENC_MBC_ENC_LEN(utf8, buffer) == n);
    assert(ONIGENC_MBC_TO_CODE(utf8, buffer, buffer + n) == code);
    assert(ONIGENC_IS_VALID_MBC_STRING(utf8, buffer, buffer + n));
    return 0;
}
