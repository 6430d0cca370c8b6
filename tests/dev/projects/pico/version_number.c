#include <sys/types.h>
#include "picohttpparser.h"
#include "../harness.h"

int main(void)
{
    char in[22] = "HTTP/1.";
    const char *message;
    size_t message_length, count = 2;
    int minor, status;
    struct phr_header headers[2];
    any_bytes(in + 7, sizeof in - 7);
    phr_parse_response(in, sizeof in, &minor, &status, &message, &message_length, headers, &count, 0);
    return 0;
}
