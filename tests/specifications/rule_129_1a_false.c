//# rule: 129_1a
//# VERDICT: FALSE
extern unsigned long find_first_bit(const unsigned long *, unsigned long);
extern unsigned long find_next_zero_bit(const unsigned long *, unsigned long, unsigned long);
unsigned long map[4];

int main(void) {
    unsigned long bit = find_first_bit(map, 256);
    find_next_zero_bit(map, 256, bit + 1);
    return 0;
}
