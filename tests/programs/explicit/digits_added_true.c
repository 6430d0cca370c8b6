// Two words are added digit by digit, with a carry. Each path to the violation is refuted on its own, and the endless loop there joins none of them.
//# label ERROR: TRUE
extern unsigned int __VERIFIER_nondet_uint(void);
static unsigned int added(unsigned int a, unsigned int b) {
    unsigned char left[4], right[4], sum[4];
    unsigned short carry = 0, digit;
    left[0] = a;
    left[1] = a >> 8;
    left[2] = a >> 16;
    left[3] = a >> 24;
    right[0] = b;
    right[1] = b >> 8;
    right[2] = b >> 16;
    right[3] = b >> 24;
    for (int at = 0; at < 4; at++) {
        digit = left[at] + right[at] + carry;
        carry = 0;
        if (digit > 255) {
            digit = digit & 255;
            carry = 1;
        }
        sum[at] = digit;
    }
    return sum[0] | (sum[1] << 8) | (sum[2] << 16) | ((unsigned int)sum[3] << 24);
}
static void claim(int holds) {
    if (!holds) {
    ERROR:
        goto ERROR;
    }
}
int main(void) {
    unsigned int b = __VERIFIER_nondet_uint();
    unsigned int sum = added(23477, b);
    claim(sum == (23477 + b));
    return 0;
}
