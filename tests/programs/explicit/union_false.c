// A write to one member of a union changes the other.
//# call reach_error: FALSE
extern void reach_error(void);
union u { unsigned word; unsigned char byte[4]; };
int main(void) {
    union u u;
    u.word = 0x01020304;
    u.byte[1] = 0xff;
    if (u.word == 0x0102ff04)
        reach_error();
    return 0;
}
