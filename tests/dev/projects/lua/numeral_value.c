#include "lobject.h"
#include "../harness.h"

int main(void)
{
    char s[4];
    TValue o;
    int want = 0;
    for (int i = 0; i < 3; i++) {
        unsigned digit = any_below(10);
        s[i] = (char)('0' + digit);
        want = want * 10 + (int)digit;
    }
    s[3] = 0;
    assert(luaO_str2num(s, &o) == 4);
    assert(ttisinteger(&o) && ivalue(&o) == want);
    return 0;
}
