// A float's pattern through a pointer to characters.
//# call reach_error: FALSE
extern void reach_error(void);

int main(void) {
    float f = -0.15625f;
    unsigned char *byte = (unsigned char *)&f;
    if (byte[3] == 0xbe && byte[2] == 0x20 && byte[1] == 0 && byte[0] == 0)
        reach_error();
    return 0;
}
