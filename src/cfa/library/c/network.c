/* arpa/inet.h: numbers in the byte order of networks. */

unsigned htonl(unsigned number) {
    return __builtin_bswap32(number);
}

unsigned ntohl(unsigned number) {
    return __builtin_bswap32(number);
}

unsigned short htons(unsigned short number) {
    return __builtin_bswap16(number);
}

unsigned short ntohs(unsigned short number) {
    return __builtin_bswap16(number);
}
