// Bytes that are set and copied across the borders of scalars.
//# call reach_error: TRUE
extern void reach_error(void);
extern void *memset(void *, int, unsigned long), *memcpy(void *, const void *, unsigned long);
int main(void) {
    unsigned a[80], b[80];
    memset(a, 0, sizeof a);
    memset((char *)a + 2, 0x11, 300);
    memcpy(b, (char *)a + 1, 319);
    if (a[0] != 0x11110000u || a[1] != 0x11111111u || b[0] != 0x11111100u || a[75] != 0x00001111u || a[76] != 0)
        reach_error();
    return 0;
}
