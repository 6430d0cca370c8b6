#include <sys/types.h>
#include "picohttpparser.h"
#include "../harness.h"

int main(void)
{
    char in[6];
    const char *method, *path;
    size_t method_length, path_length, count = 2;
    int minor;
    struct phr_header headers[2];
    size_t n = any_below(sizeof in + 1);
    any_bytes(in, sizeof in);
    phr_parse_request(in, n, &method, &method_length, &path, &path_length, &minor, headers, &count, 0);
    return 0;
}
