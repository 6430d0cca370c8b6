#include "strscpy.h"
#include "../harness.h"

int main(void)
{
    char from[6], to[5];
    size_t n = any_below(sizeof to + 1);
    any_string(from, 5);
    ssize_t r = uv__strscpy(to, from, n);
    if (n > 0) {
        assert(strlen(to) < n);
        assert(r < 0 ? strlen(from) >= n : strcmp(from, to) == 0);
    }
    return 0;
}
