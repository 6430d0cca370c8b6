#include "lobject.h"
#include "../harness.h"

int main(void)
{
    char s[3];
    TValue o;
    any_string(s, 2);
    if (luaO_str2num(s, &o) != 0)
        assert(s[0] >= '0' && s[0] <= '9');
    return 0;
}
